#include "server/http/health_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "server/http/http_server.h"

namespace notbad::http {
namespace {

using testing::HasSubstr;

class HealthCheckTest : public testing::Test {
 protected:
  HealthCheckTest() {
    router_.add({api::RouteKind::kProbe, "/readyz", [this](auto&, auto&) {
                   if (is_ready_) return api::Answer(api::Response{});
                   return api::Answer(
                       tl::unexpected(api::Problem{api::ProblemCode::kNotReady, "not yet"}));
                 }});
    server_ = std::move(*HttpServer::start({.port = 0}, router_, metrics_));
  }

  std::string complaint(const std::string& host) {
    const auto health = check_health(host, server_->port(), std::chrono::milliseconds(2000));
    return health ? "" : health.error().message;
  }

  std::atomic<bool> is_ready_ = true;
  metrics::Metrics metrics_;
  api::Router router_{{.max_concurrent = 1}, metrics_};
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HealthCheckTest, FindsAReadyServerAtTheAddressThatItListensOn) {
  EXPECT_EQ(complaint("127.0.0.1"), "");
  EXPECT_EQ(complaint("localhost"), "");
  EXPECT_EQ(complaint("0.0.0.0"), "");
}

TEST_F(HealthCheckTest, SaysWhatItFoundInstead) {
  is_ready_ = false;
  EXPECT_THAT(complaint("127.0.0.1"), HasSubstr("answers 503"));

  server_->stop(std::chrono::milliseconds(1000));
  EXPECT_THAT(complaint("127.0.0.1"), HasSubstr("does not answer"));
}

}  // namespace
}  // namespace notbad::http
