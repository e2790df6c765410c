#include "server/api/request_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace notbad::api {
namespace {

std::string id_for(const std::string& header) {
  return request_id({"GET", "/", {{"x-request-id", header}}, ""});
}

TEST(RequestIdTest, KeepsAWellFormedOne) {
  EXPECT_EQ(id_for("Ab9._-"), "Ab9._-");
  EXPECT_EQ(id_for(std::string(64, 'x')), std::string(64, 'x'));
}

TEST(RequestIdTest, ReplacesWhatCouldForgeALogLine) {
  for (const std::string bad : {"", "two words", "line\nbreak", "caf\xC3\xA9", "a=b"})
    EXPECT_THAT(id_for(bad), testing::MatchesRegex("[0-9a-f]{16}")) << bad;
  EXPECT_THAT(id_for(std::string(65, 'x')), testing::MatchesRegex("[0-9a-f]{16}"));
}

TEST(RequestIdTest, GivesEachRequestItsOwn) {
  const Request request{"GET", "/", {}, ""};
  EXPECT_NE(request_id(request), request_id(request));
}

}  // namespace
}  // namespace notbad::api
