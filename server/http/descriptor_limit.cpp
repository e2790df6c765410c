#include "server/http/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace notbad::http {
namespace {

// Refused connections that are about to end, the model's files, events, logs.
constexpr std::int64_t kOtherDescriptors = 320;
constexpr std::int64_t kManyDescriptors = 1'000'000'000;

}  // namespace

std::int64_t connections_within_descriptors(std::int64_t wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  const auto descriptors =
      static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, kManyDescriptors));
  const std::int64_t others = std::min(kOtherDescriptors, descriptors / 2);
  return std::clamp<std::int64_t>(descriptors - others, 1, wanted);
}

}  // namespace notbad::http
