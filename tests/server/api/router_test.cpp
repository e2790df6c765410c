#include "server/api/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>
#include <stdexcept>

#include "tests/server/support/gunzip.h"
#include "tests/server/support/metric_values.h"

namespace notbad::api {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string header_of(const Response& response, std::string_view name) {
  for (const auto& header : response.headers)
    if (header.name == name) return header.value;
  return "";
}

// Catches what is logged while it lives.
class LogCatcher {
 public:
  LogCatcher() : previous_(spdlog::default_logger()) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", sink));
  }
  ~LogCatcher() { spdlog::set_default_logger(previous_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> previous_;
};

class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    router_.add({RouteKind::kPage, "/page", [](auto&, auto&) {
                   Response response;
                   response.body = "page";
                   return Answer(response);
                 }});
    router_.add(
        {RouteKind::kJson, "/json", [this](auto& request, auto&) {
           on_json_(request);
           Response response;
           response.body = json_;
           response.figures = {
               .tokens = 7, .tokenize = {}, .queue = {}, .compute = std::chrono::milliseconds(2)};
           return Answer(response);
         }});
  }

  static Request post(std::string body) {
    return {"POST", "/json", {{"Content-Type", "application/json"}}, std::move(body)};
  }

  metrics::Metrics metrics_;
  Router router_{{.max_concurrent = 1}, metrics_};
  std::function<void(const Request&)> on_json_ = [](auto&) {};
  std::string json_;
};

TEST_F(RouterTest, WrapsEveryAnswerInTheCommonHeaders) {
  const Response found = router_.handle({"GET", "/page", {{"X-Request-Id", "abc"}}, ""});
  const Response lost = router_.handle({"GET", "/nowhere", {{"X-Request-Id", "abc"}}, ""});

  EXPECT_EQ(found.status, 200);
  EXPECT_EQ(lost.status, 404);
  for (const Response& response : {found, lost}) {
    EXPECT_EQ(header_of(response, "X-Request-Id"), "abc");
    EXPECT_EQ(header_of(response, "Cache-Control"), "no-store");
    EXPECT_EQ(header_of(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_THAT(header_of(response, "Server-Timing"), HasSubstr("total;dur="));
  }
}

TEST_F(RouterTest, CompressesALargeAnswerForWhoTakesGzip) {
  json_ = std::string(20'000, 'x');
  Request request = post("{}");
  const Response plain = router_.handle(request);
  request.headers.push_back({"Accept-Encoding", "gzip"});
  const Response compressed = router_.handle(request);

  EXPECT_EQ(plain.body, json_);
  EXPECT_EQ(header_of(compressed, "Content-Encoding"), "gzip");
  EXPECT_EQ(gunzip(compressed.body), json_);
}

TEST_F(RouterTest, AnswersHeadWhereItAnswersGet) {
  EXPECT_EQ(router_.handle({"HEAD", "/page", {}, ""}).status, 200);
}

TEST_F(RouterTest, NamesTheMethodsOfAPath) {
  const Response page = router_.handle({"DELETE", "/page", {}, ""});
  const Response json = router_.handle({"GET", "/json", {}, ""});

  EXPECT_EQ(page.status, 405);
  EXPECT_EQ(header_of(page, "Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(json.status, 405);
  EXPECT_EQ(header_of(json, "Allow"), "POST, OPTIONS");
}

TEST_F(RouterTest, RefusesOtherBodiesThanJsonFromTheHeadAlone) {
  const auto code_of = [this](std::vector<Header> headers) {
    const auto problem = router_.check_head({"POST", "/json", std::move(headers), ""});
    return problem ? kind_of(problem->code).code : "none";
  };

  EXPECT_STREQ(code_of({}), "unsupported_media_type");
  EXPECT_STREQ(code_of({{"Content-Type", "text/plain"}}), "unsupported_media_type");
  EXPECT_STREQ(code_of({{"content-type", "application/json"}, {"content-encoding", "gzip"}}),
               "unsupported_encoding");
  EXPECT_STREQ(code_of({{"content-type", "application/json"}}), "none");
}

TEST_F(RouterTest, AnswersABareErrorForABug) {
  on_json_ = [](auto&) { throw std::runtime_error("the secret inside"); };
  const LogCatcher log;

  const Response response = router_.handle(post("{}"));

  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, HasSubstr(R"("code":"internal")"));
  EXPECT_THAT(response.body, Not(HasSubstr("secret")));
  EXPECT_THAT(log.text(), HasSubstr("the secret inside"));
}

TEST_F(RouterTest, RefusesMoreThanTheRequestsItMayHaveInWork) {
  Response inner;
  on_json_ = [&](auto& request) {
    if (request.body == "outer") inner = router_.handle(post("inner"));
  };

  const Response outer = router_.handle(post("outer"));
  const Response after = router_.handle(post("after"));

  EXPECT_EQ(outer.status, 200);
  EXPECT_EQ(inner.status, 503);
  EXPECT_EQ(header_of(inner, "Retry-After"), "1");
  EXPECT_EQ(after.status, 200);
}

TEST_F(RouterTest, LogsOneLineARequestAndNothingOfItsText) {
  const LogCatcher log;

  router_.handle(post("a body of secrets"));
  router_.handle({"GET", "/a-secret-path", {}, ""});

  EXPECT_THAT(log.text(),
              testing::ContainsRegex("id=[0-9a-f]{16} client=- status=200 route=/json tokens=7 "
                                     "tokenize_ms=0.000 queue_ms=0.000 infer_ms=2.000"));
  EXPECT_THAT(log.text(), HasSubstr("status=404 route=-"));
  EXPECT_THAT(log.text(), Not(HasSubstr("secret")));
}

TEST_F(RouterTest, AnswersOptionsWithTheMethodsOfThePath) {
  const Response json = router_.handle({"OPTIONS", "/json", {{"Origin", "https://a.example"}}, ""});
  const Response page = router_.handle({"OPTIONS", "/page", {}, ""});

  EXPECT_EQ(json.status, 204);
  EXPECT_EQ(json.body, "");
  EXPECT_EQ(header_of(json, "Allow"), "POST, OPTIONS");
  EXPECT_EQ(header_of(json, "Access-Control-Allow-Origin"), "");
  EXPECT_EQ(header_of(page, "Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(router_.handle({"OPTIONS", "/nowhere", {}, ""}).status, 404);
}

TEST_F(RouterTest, LetsOneOriginReadItsAnswers) {
  Router router({.cors_origin = "https://a.example"}, metrics_);
  router.add({RouteKind::kJson, "/json", [](auto&, auto&) { return Answer(Response{}); }});
  const std::vector<Header> headers = {{"Origin", "https://a.example"}};

  const Response preflight = router.handle({"OPTIONS", "/json", headers, ""});
  const Response refusal = router.handle({"POST", "/json", headers, ""});
  const Response stranger =
      router.handle({"OPTIONS", "/json", {{"Origin", "https://b.example"}}, ""});

  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(header_of(preflight, "Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(header_of(preflight, "Access-Control-Allow-Methods"), "POST, OPTIONS");
  EXPECT_EQ(refusal.status, 415);
  EXPECT_EQ(header_of(refusal, "Access-Control-Allow-Origin"), "https://a.example");
  EXPECT_EQ(stranger.status, 204);
  EXPECT_EQ(header_of(stranger, "Access-Control-Allow-Origin"), "");
  EXPECT_EQ(header_of(stranger, "Vary"), "Origin");
}

TEST_F(RouterTest, ServesOnlyTheNamesItMayBeAskedUnder) {
  Router router({.allowed_hosts = "notbad.example"}, metrics_);
  router.add({RouteKind::kPage, "/page", [](auto&, auto&) { return Answer(Response{}); }});
  router.add({RouteKind::kProbe, "/probe", [](auto&, auto&) { return Answer(Response{}); }});
  const auto status_of = [&](const char* path, const char* host) {
    return router.handle({"GET", path, {{"Host", host}}, ""}).status;
  };

  EXPECT_EQ(status_of("/page", "notbad.example:8080"), 200);
  EXPECT_EQ(status_of("/page", "evil.example"), 403);
  EXPECT_EQ(status_of("/nowhere", "evil.example"), 403);
  EXPECT_EQ(router.handle({"GET", "/page", {}, ""}).status, 403);
  EXPECT_EQ(status_of("/probe", "10.0.0.7:8080"), 200);
}

TEST_F(RouterTest, RefusesToAnswerInAnotherTypeThanItHas) {
  router_.add(
      {RouteKind::kPage, "/typed", [](auto&, auto&) { return Answer(Response{}); }, "text/plain"});
  const auto status_of = [this](const char* path, const char* accept) {
    return router_.handle({"GET", path, {{"Accept", accept}}, ""}).status;
  };

  EXPECT_EQ(status_of("/typed", "text/html"), 406);
  EXPECT_EQ(status_of("/typed", "text/*"), 200);
  EXPECT_EQ(status_of("/typed", "*/*"), 200);
  EXPECT_EQ(router_.handle({"GET", "/typed", {}, ""}).status, 200);
  EXPECT_EQ(status_of("/page", "text/html"), 200);
  EXPECT_EQ(router_.handle({"HEAD", "/typed", {{"Accept", "image/png"}}, ""}).status, 406);
}

TEST_F(RouterTest, CountsEveryAnswerOnceSoThatTotalsAddUp) {
  router_.handle(post("{}"));
  router_.handle({"GET", "/page", {}, ""});
  router_.handle({"DELETE", "/page", {}, ""});
  router_.handle({"INVENTED", "/page", {}, ""});
  router_.handle({"GET", "/nowhere", {}, ""});
  router_.refuse({"POST", "/json", {}, ""}, {ProblemCode::kBodyTooLarge, "too large"});
  on_json_ = [](auto&) { throw std::runtime_error("a bug"); };
  router_.handle(post("{}"));

  const metrics::MetricValues values(metrics_.text());

  EXPECT_EQ(values.sum("notbad_requests_total"), 7.0);
  EXPECT_EQ(values.sum("notbad_request_duration_seconds_count"), 7.0);
  EXPECT_EQ(values.sum("notbad_requests_total", "status=\"200\""), 2.0);
  EXPECT_EQ(values.sum("notbad_rejections_total"), 5.0);
  EXPECT_EQ(values.at(R"(notbad_rejections_total{reason="method_not_allowed"})"), 2.0);
  EXPECT_EQ(values.at(R"(notbad_rejections_total{reason="body_too_large"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_rejections_total{reason="internal"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_requests_total{method="GET",route="-",status="404"})"), 1.0);
  EXPECT_EQ(values.sum("notbad_requests_total", "INVENTED"), 0.0);
  EXPECT_EQ(values.sum("notbad_requests_total", "method=\"other\""), 1.0);
}

}  // namespace
}  // namespace notbad::api
