#include "server/api/media_type.h"

#include <gtest/gtest.h>

namespace notbad::api {
namespace {

class JsonTypeTest : public testing::TestWithParam<const char*> {};
TEST_P(JsonTypeTest, IsAccepted) { EXPECT_TRUE(is_json_utf8(GetParam())); }
INSTANTIATE_TEST_SUITE_P(MediaTypeTest, JsonTypeTest,
                         testing::Values("application/json", "Application/JSON",
                                         "application/json; charset=utf-8",
                                         "application/json ;charset=\"UTF-8\"",
                                         "application/json; profile=x; charset=utf-8",
                                         "application/json;"));

class OtherTypeTest : public testing::TestWithParam<const char*> {};
TEST_P(OtherTypeTest, IsRefused) { EXPECT_FALSE(is_json_utf8(GetParam())); }
INSTANTIATE_TEST_SUITE_P(MediaTypeTest, OtherTypeTest,
                         testing::Values("", "text/plain", "application/x-www-form-urlencoded",
                                         "multipart/form-data; boundary=application/json",
                                         "application/json; charset=utf-16", "application/jsonx",
                                         "text/plain; application/json"));

TEST(MediaTypeTest, IsAcceptedByAnyRangeThatCoversIt) {
  for (const char* accept :
       {"application/json", "*/*", "application/*", "text/html, */*;q=0.1", "APPLICATION/JSON",
        "text/html,application/json;q=0.5", "application/json;charset=utf-8", " application/json ",
        "application/json;q=0.001", "*/*;q=0, application/json", "text/*;q=0,*/*"})
    EXPECT_TRUE(accepts(accept, "application/json")) << accept;
}

TEST(MediaTypeTest, IsNotAcceptedWhereNoRangeCoversItOrItsWeightIsZero) {
  for (const char* accept :
       {"text/html", "text/*", "application/problem+json", "application/jsonx", "json", "*",
        "application/json;q=0", "application/json;q=0.000, */*", "application/*; q=0, */*", ","})
    EXPECT_FALSE(accepts(accept, "application/json")) << accept;
}

}  // namespace
}  // namespace notbad::api
