#include "server/http/static_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

namespace notbad::http {
namespace {

constexpr std::array kFiles = {
    EmbeddedFile{"/", "text/html; charset=utf-8", "\"tag-of-page\"", "<p>hello"},
    EmbeddedFile{"/assets/a.js", "text/javascript; charset=utf-8", "\"tag-of-a\"", "let a;"},
    EmbeddedFile{"/assets/b.css", "text/css", "\"tag-of-b\"", "body {}", "compressed"}};

std::string header_of(const api::Response& response, std::string_view name) {
  for (const auto& header : response.headers)
    if (header.name == name) return header.value;
  return "";
}

class StaticFilesTest : public testing::Test {
 protected:
  StaticFilesTest() { add_static_files(kFiles, router_); }
  metrics::Metrics metrics_;
  api::Router router_{{.max_concurrent = 1}, metrics_};
};

TEST_F(StaticFilesTest, ServesAPageUnderAStrictPolicy) {
  const auto response = router_.handle({"GET", "/", {}, ""});

  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "<p>hello");
  EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(header_of(response, "ETag"), "\"tag-of-page\"");
  EXPECT_EQ(header_of(response, "Cache-Control"), "no-cache");
  EXPECT_THAT(header_of(response, "Content-Security-Policy"),
              testing::StartsWith("default-src 'none'; script-src 'self';"));
}

TEST_F(StaticFilesTest, ServesAssets) {
  const auto response = router_.handle({"GET", "/assets/a.js", {}, ""});

  EXPECT_EQ(response.body, "let a;");
  EXPECT_EQ(header_of(response, "Content-Security-Policy"), "");
}

TEST_F(StaticFilesTest, SaysNotModifiedToWhoHasIt) {
  for (const char* tags : {"\"tag-of-a\"", "W/\"tag-of-a\"", "\"x\", \"tag-of-a\"", "*"}) {
    const auto response = router_.handle({"GET", "/assets/a.js", {{"If-None-Match", tags}}, ""});
    EXPECT_EQ(response.status, 304) << tags;
    EXPECT_EQ(response.body, "") << tags;
    EXPECT_EQ(header_of(response, "ETag"), "\"tag-of-a\"") << tags;
  }
  EXPECT_EQ(router_.handle({"GET", "/assets/a.js", {{"If-None-Match", "\"tag\""}}, ""}).status,
            200);
}

TEST_F(StaticFilesTest, CompressesForWhoTakesGzip) {
  const auto get = [this](const char* codings, const char* tags) {
    return router_.handle(
        {"GET", "/assets/b.css", {{"Accept-Encoding", codings}, {"If-None-Match", tags}}, ""});
  };

  EXPECT_EQ(get("br, gzip;q=0.5", "").body, "compressed");
  EXPECT_EQ(header_of(get("gzip, br", ""), "Content-Encoding"), "gzip");
  EXPECT_EQ(header_of(get("gzip", ""), "ETag"), "\"tag-of-b-gzip\"");
  EXPECT_EQ(get("gzip", "\"tag-of-b-gzip\"").status, 304);
  for (const char* codings : {"", "br", "gzip;q=0", "gzip; q=0, br"}) {
    EXPECT_EQ(get(codings, "").body, "body {}") << codings;
    EXPECT_EQ(header_of(get(codings, ""), "Content-Encoding"), "") << codings;
    EXPECT_EQ(get(codings, "\"tag-of-b-gzip\"").status, 200) << codings;
  }
  EXPECT_EQ(header_of(get("br", ""), "Vary"), "Accept-Encoding");
}

TEST_F(StaticFilesTest, LooksUpNothingElse) {
  for (const char* path : {"/assets/", "/assets/c.js", "/assets/../a.js", "//", "/index.html"})
    EXPECT_EQ(router_.handle({"GET", path, {}, ""}).status, 404) << path;
}

std::string source_of(std::string_view path) {
  if (path == "/") return "web/index.html";
  if (path == "/openapi.json") return "server/api/openapi.json";
  if (path == "/suite") return "web/suite.html";
  if (path == "/assets/negation_suite.tsv") return "tests/golden/negation_suite.tsv";
  return "web/" + std::string(path.substr(sizeof("/assets/") - 1));
}

TEST_F(StaticFilesTest, HoldsPageAndContractByteForByte) {
  std::set<std::string_view> paths;
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_TRUE(paths.insert(file.path).second) << file.path;
    const std::string name = source_of(file.path);
    std::ifstream source(std::string(NOTBAD_SOURCE_DIR "/") + name, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(source)), {});
    EXPECT_TRUE(file.content == content) << name;
  }
  EXPECT_TRUE(paths.contains("/"));
  EXPECT_TRUE(paths.contains("/openapi.json"));
}

}  // namespace
}  // namespace notbad::http
