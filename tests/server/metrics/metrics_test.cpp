#include "server/metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/server/support/metric_values.h"

namespace notbad::metrics {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(MetricsTest, CountsARequestByRouteMethodAndStatus) {
  Metrics metrics;
  metrics.count_request("/a", "POST", 200, milliseconds(3));
  metrics.count_request("/a", "POST", 200, milliseconds(3));
  metrics.count_request("/a", "GET", 405, milliseconds(1));

  const MetricValues values(metrics.text());

  EXPECT_EQ(values.at(R"(notbad_requests_total{method="POST",route="/a",status="200"})"), 2.0);
  EXPECT_EQ(values.at(R"(notbad_requests_total{method="GET",route="/a",status="405"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_request_duration_seconds_count{route="/a"})"), 3.0);
  EXPECT_NEAR(values.at(R"(notbad_request_duration_seconds_sum{route="/a"})"), 0.007, 1e-9);
  EXPECT_EQ(values.at(R"(notbad_request_duration_seconds_bucket{route="/a",le="0.0025"})"), 1.0);
}

TEST(MetricsTest, SpansDurationsFrom100MicrosecondsTo10Seconds) {
  Metrics metrics;
  metrics.count_request("/a", "GET", 200, std::chrono::microseconds(50));
  metrics.count_request("/a", "GET", 200, std::chrono::seconds(20));

  const MetricValues values(metrics.text());

  EXPECT_EQ(values.at(R"(notbad_request_duration_seconds_bucket{route="/a",le="0.0001"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_request_duration_seconds_bucket{route="/a",le="10"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_request_duration_seconds_bucket{route="/a",le="+Inf"})"), 2.0);
}

TEST(MetricsTest, TellsTheStagesApart) {
  Metrics metrics;
  metrics.observe_stages({milliseconds(1), milliseconds(2), milliseconds(3), milliseconds(4)});

  const MetricValues values(metrics.text());

  const auto sum = [&](const std::string& stage) {
    return values.at("notbad_stage_duration_seconds_sum{stage=\"" + stage + "\"}");
  };
  EXPECT_NEAR(sum("tokenize"), 0.001, 1e-9);
  EXPECT_NEAR(sum("queue"), 0.002, 1e-9);
  EXPECT_NEAR(sum("compute"), 0.003, 1e-9);
  EXPECT_NEAR(sum("serialize"), 0.004, 1e-9);
}

TEST(MetricsTest, CountsWhatTheWorkersDo) {
  Metrics metrics;
  metrics.observe_batch(100);
  metrics.observe_batch(5);
  metrics.count_drop(Drop::kAbandoned);
  metrics.count_drop(Drop::kDeadline);
  metrics.count_drop(Drop::kDeadline);
  metrics.set_queue(42);

  const MetricValues values(metrics.text());

  EXPECT_EQ(values.at("notbad_batch_tokens_sum"), 105.0);
  EXPECT_EQ(values.at(R"(notbad_batch_tokens_bucket{le="64"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_dropped_sequences_total{reason="abandoned"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_dropped_sequences_total{reason="deadline"})"), 2.0);
  EXPECT_EQ(values.at("notbad_queue_tokens"), 42.0);
}

TEST(MetricsTest, HasOpenConnectionsAsThoseOpenedButNotClosed) {
  Metrics metrics;
  for (int i = 0; i < 7; ++i) metrics.open_connection();
  for (const auto end : {ConnectionEnd::kOrderly, ConnectionEnd::kIdle, ConnectionEnd::kTimeout,
                         ConnectionEnd::kClientLeft, ConnectionEnd::kRefusal})
    metrics.close_connection(end);
  metrics.refuse_connection();

  const MetricValues values(metrics.text());

  EXPECT_EQ(values.at("notbad_connections"), 2.0);
  EXPECT_EQ(values.at("notbad_connections_total"), 7.0);
  EXPECT_EQ(values.sum("notbad_connections_closed_total"), 5.0);
  EXPECT_EQ(values.at(R"(notbad_connections_closed_total{reason="client_left"})"), 1.0);
  EXPECT_EQ(values.at("notbad_connections_refused_total"), 1.0);
}

TEST(MetricsTest, NamesBuildAndModel) {
  Metrics metrics;
  metrics.set_build("1.2.3", "GNU 12");
  metrics.set_model("notbad", "4.5", "abc");

  const MetricValues values(metrics.text());

  EXPECT_EQ(values.at(R"(notbad_build_info{compiler="GNU 12",version="1.2.3"})"), 1.0);
  EXPECT_EQ(values.at(R"(notbad_model_info{id="notbad",sha256="abc",version="4.5"})"), 1.0);
}

TEST(MetricsTest, ExplainsEveryName) {
  Metrics metrics;
  metrics.count_prediction("positive");

  const std::string text = metrics.text();

  EXPECT_THAT(text, HasSubstr("# HELP notbad_predictions_total Texts answered, by their label"));
  EXPECT_THAT(text, HasSubstr("# TYPE notbad_predictions_total counter"));
  EXPECT_THAT(text, HasSubstr("# TYPE notbad_queue_tokens gauge"));
  EXPECT_THAT(text, HasSubstr("# TYPE notbad_batch_tokens histogram"));
}

TEST(MetricsTest, CountsCpuTimeOnlyUpwards) {
  Metrics metrics;

  const double before = MetricValues(metrics.text()).at("process_cpu_seconds_total");
  const double after = MetricValues(metrics.text()).at("process_cpu_seconds_total");

  EXPECT_GT(before, 0.0);
  EXPECT_GE(after, before);
}

TEST(MetricsTest, LosesNothingBetweenThreads) {
  Metrics metrics;
  std::vector<std::thread> threads;

  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&metrics, thread] {
      for (int i = 0; i < 1000; ++i) {
        metrics.count_request("/a", "POST", 200 + thread, milliseconds(1));
        if (i % 100 == 0) metrics.text();
      }
    });
  for (auto& thread : threads) thread.join();

  const MetricValues values(metrics.text());
  EXPECT_EQ(values.sum("notbad_requests_total"), 4000.0);
  EXPECT_EQ(values.at(R"(notbad_request_duration_seconds_count{route="/a"})"), 4000.0);
}

}  // namespace
}  // namespace notbad::metrics
