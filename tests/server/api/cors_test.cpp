#include "server/api/cors.h"

#include <gtest/gtest.h>

#include <map>

namespace notbad::api {
namespace {

std::map<std::string, std::string> headers_for(const std::string& method, const std::string& origin,
                                               const std::string& allowed) {
  Request request{method, "/v1/classify", {}, ""};
  if (!origin.empty()) request.headers.push_back({"Origin", origin});
  std::map<std::string, std::string> found;
  for (const Header& header : cors_headers(request, allowed, "POST, OPTIONS"))
    found[header.name] = header.value;
  return found;
}

TEST(CorsTest, IsOffWithoutAnOrigin) {
  EXPECT_TRUE(headers_for("OPTIONS", "https://a.example", "").empty());
}

TEST(CorsTest, TellsAPreflightWhatMayBeSent) {
  const auto headers = headers_for("OPTIONS", "https://a.example", "https://a.example");

  EXPECT_EQ(headers.at("Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(headers.at("Access-Control-Allow-Methods"), "POST, OPTIONS");
  EXPECT_EQ(headers.at("Access-Control-Allow-Headers"), "Content-Type, X-Request-Id, X-Timeout-Ms");
  EXPECT_EQ(headers.at("Vary"), "Origin");
}

TEST(CorsTest, LetsThatOriginReadAnAnswer) {
  const auto headers = headers_for("POST", "https://a.example", "https://a.example");

  EXPECT_EQ(headers.at("Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(headers.at("Access-Control-Expose-Headers"),
            "Retry-After, Server-Timing, X-Request-Id");
  EXPECT_FALSE(headers.contains("Access-Control-Allow-Methods"));
}

TEST(CorsTest, LetsNobodyElse) {
  for (const char* origin : {"", "null", "https://b.example", "http://a.example",
                             "https://a.example.evil", "https://a.example:444"})
    for (const char* method : {"OPTIONS", "POST"}) {
      const auto headers = headers_for(method, origin, "https://a.example");
      EXPECT_EQ(headers.size(), 1U) << origin;
      EXPECT_EQ(headers.at("Vary"), "Origin") << origin;
    }
}

}  // namespace
}  // namespace notbad::api
