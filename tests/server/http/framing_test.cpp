#include "server/http/framing.h"

#include <gtest/gtest.h>

#include <ostream>

namespace notbad::http {
namespace {

using Headers = std::vector<api::Header>;

std::string verdict(const std::string& method, Headers headers,
                    const RequestLine& line = {"HTTP/1.1", "/"}) {
  headers.push_back({"Host", "x"});
  const auto length = check_framing({method, "/", std::move(headers), ""}, line, {});
  return length ? std::to_string(*length) : api::kind_of(length.error().code).code;
}

TEST(FramingTest, ReadsTheLengthOfABody) {
  EXPECT_EQ(verdict("POST", {{"Content-Length", "0"}}), "0");
  EXPECT_EQ(verdict("POST", {{"Content-Length", "17"}}), "17");
  EXPECT_EQ(verdict("POST", {{"content-length", "262144"}}), "262144");
  EXPECT_EQ(verdict("GET", {}), "0");
  EXPECT_EQ(verdict("GET", {{"Content-Length", "0"}}), "0");
  EXPECT_EQ(verdict("DELETE", {}), "0");
}

TEST(FramingTest, RefusesABodyOverTheLimit) {
  EXPECT_EQ(verdict("POST", {{"Content-Length", "262145"}}), "body_too_large");
}

TEST(FramingTest, AsksForTheLengthOfAPost) { EXPECT_EQ(verdict("POST", {}), "length_required"); }

TEST(FramingTest, RefusesEveryTransferEncoding) {
  EXPECT_EQ(verdict("POST", {{"Transfer-Encoding", "chunked"}}), "length_required");
  EXPECT_EQ(verdict("POST", {{"transfer-encoding", "identity"}, {"Content-Length", "5"}}),
            "length_required");
  EXPECT_EQ(verdict("GET", {{"Transfer-Encoding", "chunked"}}), "length_required");
}

TEST(FramingTest, RefusesTwoLengthsEvenIfTheyAgree) {
  EXPECT_EQ(verdict("POST", {{"Content-Length", "5"}, {"Content-Length", "5"}}), "bad_framing");
  EXPECT_EQ(verdict("POST", {{"Content-Length", "5"}, {"content-length", "6"}}), "bad_framing");
}

TEST(FramingTest, RefusesABodyWhereNoneBelongs) {
  EXPECT_EQ(verdict("GET", {{"Content-Length", "5"}}), "bad_framing");
  EXPECT_EQ(verdict("HEAD", {{"Content-Length", "5"}}), "bad_framing");
}

TEST(FramingTest, AsksForOneHost) {
  EXPECT_EQ(verdict("GET", {{"Host", "y"}}), "bad_framing");
  const auto none = check_framing({"GET", "/", {}, ""}, {"HTTP/1.1", "/"}, {});
  EXPECT_FALSE(none);
  EXPECT_TRUE(check_framing({"GET", "/", {}, ""}, {"HTTP/1.0", "/"}, {}));
}

TEST(FramingTest, BoundsAddressAndHeaders) {
  const std::string longest(2048, 'a');
  EXPECT_EQ(verdict("GET", {}, {"HTTP/1.1", longest}), "0");
  EXPECT_EQ(verdict("GET", {}, {"HTTP/1.1", longest + "a"}), "uri_too_long");
  EXPECT_EQ(verdict("GET", Headers(63, {"X", "y"})), "0");
  EXPECT_EQ(verdict("GET", Headers(64, {"X", "y"})), "headers_too_large");
}

class BadLengthTest : public testing::TestWithParam<const char*> {};

TEST_P(BadLengthTest, IsRefused) {
  EXPECT_EQ(verdict("POST", {{"Content-Length", GetParam()}}), "bad_framing");
}

INSTANTIATE_TEST_SUITE_P(FramingTest, BadLengthTest,
                         testing::Values("", "abc", "-1", "+5", "5,5", "5 5", "0x10", "5.0",
                                         "123456789012345678901234567890"));

}  // namespace
}  // namespace notbad::http
