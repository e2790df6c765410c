#include "server/api/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>
#include <stdexcept>

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
           response.figures = {
               .tokens = 7, .tokenize = {}, .queue = {}, .compute = std::chrono::milliseconds(2)};
           return Answer(response);
         }});
  }

  static Request post(std::string body) {
    return {"POST", "/json", {{"Content-Type", "application/json"}}, std::move(body)};
  }

  Router router_{1};
  std::function<void(const Request&)> on_json_ = [](auto&) {};
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

TEST_F(RouterTest, AnswersHeadWhereItAnswersGet) {
  EXPECT_EQ(router_.handle({"HEAD", "/page", {}, ""}).status, 200);
}

TEST_F(RouterTest, NamesTheMethodsOfAPath) {
  const Response page = router_.handle({"DELETE", "/page", {}, ""});
  const Response json = router_.handle({"GET", "/json", {}, ""});

  EXPECT_EQ(page.status, 405);
  EXPECT_EQ(header_of(page, "Allow"), "GET, HEAD");
  EXPECT_EQ(json.status, 405);
  EXPECT_EQ(header_of(json, "Allow"), "POST");
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
              testing::ContainsRegex("id=[0-9a-f]{16} status=200 route=/json tokens=7 "
                                     "tokenize_ms=0.000 queue_ms=0.000 infer_ms=2.000"));
  EXPECT_THAT(log.text(), HasSubstr("status=404 route=-"));
  EXPECT_THAT(log.text(), Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace notbad::api
