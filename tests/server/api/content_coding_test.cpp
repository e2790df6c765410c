#include "server/api/content_coding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/support/gunzip.h"

namespace notbad::api {
namespace {

std::string header_of(const Response& response, std::string_view name) {
  for (const auto& header : response.headers)
    if (header.name == name) return header.value;
  return "";
}

Request request_with(const std::string& codings) {
  return {"POST", "/json", {{"Accept-Encoding", codings}}, ""};
}

Response compressed(std::size_t size, const std::string& codings) {
  Response response;
  for (std::size_t i = 0; i < size; ++i)
    response.body += static_cast<char>('0' + i * 7919 % 10007 % 10);
  compress(request_with(codings), response);
  return response;
}

TEST(TakesGzipTest, WhereTheHeaderNamesItWithAWeight) {
  for (const char* codings : {"gzip", "GZIP", "deflate, gzip, br", "br;q=1, gzip;q=0.5"})
    EXPECT_TRUE(takes_gzip(request_with(codings))) << codings;
  for (const char* codings : {"", "br", "gzip;q=0", "gzip; q=0.000", "x-gzipped", "identity"})
    EXPECT_FALSE(takes_gzip(request_with(codings))) << codings;
  EXPECT_FALSE(takes_gzip({"POST", "/json", {}, ""}));
}

TEST(CompressTest, GivesBackTheBodyWhenUnpacked) {
  const std::string body = compressed(20'000, "").body;

  const Response response = compressed(20'000, "gzip");

  EXPECT_EQ(header_of(response, "Content-Encoding"), "gzip");
  EXPECT_LT(response.body.size(), body.size());
  EXPECT_EQ(gunzip(response.body), body);
}

TEST(CompressTest, LeavesWhatIsTooSmallOrTooLargeToPay) {
  for (const std::size_t size : {0, 8191, 1024 * 1024 + 1}) {
    const Response response = compressed(size, "gzip");
    EXPECT_EQ(response.body.size(), size);
    EXPECT_THAT(response.headers, testing::IsEmpty()) << size;
  }
  for (const std::size_t size : {8192, 1024 * 1024})
    EXPECT_EQ(header_of(compressed(size, "gzip"), "Content-Encoding"), "gzip") << size;
}

TEST(CompressTest, TellsCachesWhatTheBodyDependsOn) {
  EXPECT_EQ(header_of(compressed(20'000, "gzip"), "Vary"), "Accept-Encoding");
  EXPECT_EQ(header_of(compressed(20'000, "br"), "Vary"), "Accept-Encoding");
  EXPECT_EQ(header_of(compressed(20'000, "br"), "Content-Encoding"), "");
}

}  // namespace
}  // namespace notbad::api
