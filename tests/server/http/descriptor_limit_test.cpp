#include "server/http/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

namespace notbad::http {
namespace {

// In a process of its own: limits can be lowered, but not raised again.
int connections_under(rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) std::abort();
  const std::int64_t connections = connections_within_descriptors(1024);
  rlimit raised{};
  getrlimit(RLIMIT_NOFILE, &raised);
  return raised.rlim_cur == hard ? static_cast<int>(connections / 8) : 255;
}

TEST(DescriptorLimitDeathTest, LeavesWhatIsWantedWhereThereIsRoom) {
  EXPECT_EXIT(std::_Exit(connections_under(256, 2000)), testing::ExitedWithCode(1024 / 8), "");
}

TEST(DescriptorLimitDeathTest, FollowsALowLimit) {
  EXPECT_EXIT(std::_Exit(connections_under(64, 1000)), testing::ExitedWithCode(680 / 8), "");
  EXPECT_EXIT(std::_Exit(connections_under(64, 128)), testing::ExitedWithCode(64 / 8), "");
}

}  // namespace
}  // namespace notbad::http
