#include "server/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <mutex>
#include <stdexcept>

#include "server/metrics/process_figures.h"

namespace notbad::metrics {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

// In seconds, from 100 µs to 10 s.
const Histogram::BucketBoundaries& duration_bounds() {
  static const Histogram::BucketBoundaries bounds = {1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3,
                                                     1e-2, 2.5e-2, 5e-2, 1e-1, 2.5e-1, 5e-1,
                                                     1.0,  2.5,    5.0,  10.0};
  return bounds;
}

const Histogram::BucketBoundaries& token_bounds() {
  static const Histogram::BucketBoundaries bounds = {8,   16,  32,   64,   128,
                                                     256, 512, 1024, 2048, 4096};
  return bounds;
}

double to_seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

const char* name_of(Drop drop) {
  switch (drop) {
    case Drop::kDeadline:
      return "deadline";
    case Drop::kAbandoned:
      return "abandoned";
  }
  throw std::logic_error("name_of: no such drop");
}

const char* name_of(ConnectionEnd end) {
  switch (end) {
    case ConnectionEnd::kOrderly:
      return "orderly";
    case ConnectionEnd::kIdle:
      return "idle";
    case ConnectionEnd::kTimeout:
      return "timeout";
    case ConnectionEnd::kClientLeft:
      return "client_left";
    case ConnectionEnd::kRefusal:
      return "refusal";
  }
  throw std::logic_error("name_of: no such end of a connection");
}

}  // namespace

class Metrics::Impl {
 public:
  prometheus::Registry registry;
  Family<Counter>& requests = counters("notbad_requests_total", "Requests answered");
  Family<Histogram>& durations = histograms(
      "notbad_request_duration_seconds", "From the whole request to its answer, before it is sent");
  Family<Histogram>& stages = histograms("notbad_stage_duration_seconds",
                                         "Where the time of a request with an answer went");
  Family<Counter>& rejections =
      counters("notbad_rejections_total", "Requests answered with a problem, by its code");
  Family<Counter>& predictions =
      counters("notbad_predictions_total", "Texts answered, by their label");
  Histogram& batch_tokens = histograms("notbad_batch_tokens", "Tokens of a batch that was computed")
                                .Add({}, token_bounds());
  Family<Counter>& drops = counters("notbad_dropped_sequences_total",
                                    "Sequences that waited but were not computed, by the reason");
  Gauge& queue_tokens = gauge("notbad_queue_tokens", "Tokens that wait for a worker");
  Gauge& connections = gauge("notbad_connections", "Connections that are open");
  Counter& connections_opened =
      counters("notbad_connections_total", "Connections that were opened").Add({});
  Family<Counter>& connections_closed =
      counters("notbad_connections_closed_total", "Connections that ended, by the reason");
  Counter& connections_refused =
      counters("notbad_connections_refused_total", "Connections beyond the limit").Add({});
  Family<Gauge>& build_info = gauges("notbad_build_info", "1, with what was built");
  Family<Gauge>& model_info = gauges("notbad_model_info", "1, with the model that is loaded");
  Counter& cpu_seconds =
      counters("process_cpu_seconds_total", "User and system time of the process").Add({});
  Gauge& start_time = gauge("process_start_time_seconds", "Start of the process since the epoch");
  Gauge& resident_bytes = gauge("process_resident_memory_bytes", "Resident memory");
  Gauge& threads = gauge("process_threads", "Threads of the process");
  Gauge& open_descriptors = gauge("process_open_fds", "Open file descriptors");
  Gauge& max_descriptors = gauge("process_max_fds", "Limit of open file descriptors");

  void update_process() {
    const std::lock_guard lock(process_mutex_);
    const ProcessFigures figures = read_process_figures();
    cpu_seconds.Increment(figures.cpu_seconds - cpu_seconds.Value());  // below 0 changes nothing
    start_time.Set(figures.start_time_seconds);
    resident_bytes.Set(static_cast<double>(figures.resident_bytes));
    threads.Set(static_cast<double>(figures.threads));
    open_descriptors.Set(static_cast<double>(figures.open_descriptors));
    max_descriptors.Set(static_cast<double>(figures.max_descriptors));
  }

 private:
  std::mutex process_mutex_;  // guards that the figures of the process are read and set in one

  Family<Counter>& counters(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  Family<Gauge>& gauges(const char* name, const char* help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
  }
  Gauge& gauge(const char* name, const char* help) { return gauges(name, help).Add({}); }
  Family<Histogram>& histograms(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}

Metrics::~Metrics() = default;

void Metrics::count_request(std::string_view route, std::string_view method, int status,
                            std::chrono::nanoseconds time) {
  impl_->requests
      .Add({{"route", std::string(route)},
            {"method", std::string(method)},
            {"status", std::to_string(status)}})
      .Increment();
  impl_->durations.Add({{"route", std::string(route)}}, duration_bounds())
      .Observe(to_seconds(time));
}

void Metrics::count_rejection(std::string_view reason) {
  impl_->rejections.Add({{"reason", std::string(reason)}}).Increment();
}

void Metrics::count_prediction(std::string_view label) {
  impl_->predictions.Add({{"label", std::string(label)}}).Increment();
}

void Metrics::observe_stages(const StageTimes& times) {
  const auto observe = [this](const char* stage, std::chrono::nanoseconds time) {
    impl_->stages.Add({{"stage", stage}}, duration_bounds()).Observe(to_seconds(time));
  };
  observe("tokenize", times.tokenize);
  observe("queue", times.queue);
  observe("compute", times.compute);
  observe("serialize", times.serialize);
}

void Metrics::observe_batch(std::int64_t tokens) {
  impl_->batch_tokens.Observe(static_cast<double>(tokens));
}

void Metrics::count_drop(Drop drop) { impl_->drops.Add({{"reason", name_of(drop)}}).Increment(); }

void Metrics::open_connection() {
  impl_->connections_opened.Increment();
  impl_->connections.Increment();
}

void Metrics::close_connection(ConnectionEnd end) {
  impl_->connections_closed.Add({{"reason", name_of(end)}}).Increment();
  impl_->connections.Decrement();
}

void Metrics::refuse_connection() { impl_->connections_refused.Increment(); }

void Metrics::set_queue(std::int64_t tokens) {
  impl_->queue_tokens.Set(static_cast<double>(tokens));
}

void Metrics::set_build(std::string_view version, std::string_view compiler) {
  impl_->build_info.Add({{"version", std::string(version)}, {"compiler", std::string(compiler)}})
      .Set(1.0);
}

void Metrics::set_model(std::string_view id, std::string_view version, std::string_view sha256) {
  impl_->model_info
      .Add({{"id", std::string(id)},
            {"version", std::string(version)},
            {"sha256", std::string(sha256)}})
      .Set(1.0);
}

std::string Metrics::text() {
  impl_->update_process();
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace notbad::metrics
