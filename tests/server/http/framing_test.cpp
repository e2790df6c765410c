#include "server/http/framing.h"

#include <gtest/gtest.h>

#include <ostream>

namespace notbad::http {
namespace {

using Headers = std::vector<api::Header>;

std::string verdict(const std::string& method, Headers headers,
                    const std::string& version = "HTTP/1.1") {
  const auto length = check_framing({method, "/", version, std::move(headers)}, {});
  return length ? std::to_string(*length) : api::kind_of(length.error().code).code;
}

std::string verdict_with_host(const std::string& method, Headers headers) {
  headers.push_back({"Host", "x"});
  return verdict(method, std::move(headers));
}

TEST(FramingTest, ReadsTheLengthOfABody) {
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", "0"}}), "0");
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", "17"}}), "17");
  EXPECT_EQ(verdict_with_host("POST", {{"content-length", "262144"}}), "262144");
  EXPECT_EQ(verdict_with_host("GET", {}), "0");
  EXPECT_EQ(verdict_with_host("GET", {{"Content-Length", "0"}}), "0");
  EXPECT_EQ(verdict_with_host("DELETE", {}), "0");
}

TEST(FramingTest, RefusesABodyOverTheLimit) {
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", "262145"}}), "body_too_large");
}

TEST(FramingTest, AsksForTheLengthOfAPost) {
  EXPECT_EQ(verdict_with_host("POST", {}), "length_required");
}

TEST(FramingTest, RefusesEveryTransferEncoding) {
  EXPECT_EQ(verdict_with_host("POST", {{"Transfer-Encoding", "chunked"}}), "length_required");
  EXPECT_EQ(verdict_with_host("POST", {{"transfer-encoding", "identity"}}), "length_required");
  EXPECT_EQ(verdict_with_host("GET", {{"Transfer-Encoding", "chunked"}}), "length_required");
}

TEST(FramingTest, RefusesTwoLengthsEvenIfTheyAgree) {
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", "5"}, {"Content-Length", "5"}}),
            "bad_framing");
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", "5"}, {"content-length", "6"}}),
            "bad_framing");
}

TEST(FramingTest, RefusesABodyWhereNoneBelongs) {
  EXPECT_EQ(verdict_with_host("GET", {{"Content-Length", "5"}}), "bad_framing");
  EXPECT_EQ(verdict_with_host("HEAD", {{"Content-Length", "5"}}), "bad_framing");
}

TEST(FramingTest, AsksForOneHostWithoutAUser) {
  EXPECT_EQ(verdict("GET", {{"Host", "x"}}), "0");
  EXPECT_EQ(verdict("GET", {{"Host", "[::1]:8080"}}), "0");
  EXPECT_EQ(verdict("GET", {{"Host", "x"}, {"host", "x"}}), "bad_framing");
  EXPECT_EQ(verdict("GET", {{"Host", "me@x"}}), "bad_framing");
  EXPECT_EQ(verdict("GET", {{"Host", "x/y"}}), "bad_framing");
  EXPECT_EQ(verdict("GET", {}), "bad_framing");
  EXPECT_EQ(verdict("GET", {}, "HTTP/1.0"), "0");
}

TEST(FramingTest, RefusesTwoWaysToEndABody) {
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}),
            "bad_framing");
}

class BadLengthTest : public testing::TestWithParam<const char*> {};

TEST_P(BadLengthTest, IsRefused) {
  EXPECT_EQ(verdict_with_host("POST", {{"Content-Length", GetParam()}}), "bad_framing");
}

INSTANTIATE_TEST_SUITE_P(FramingTest, BadLengthTest,
                         testing::Values("", "abc", "-1", "+5", "5,5", "5 5", "0x10", "5.0",
                                         "123456789012345678901234567890"));

}  // namespace
}  // namespace notbad::http
