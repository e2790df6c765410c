#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace notbad::metrics {

// Where the time of one request went.
struct StageTimes {
  std::chrono::nanoseconds tokenize{};
  std::chrono::nanoseconds queue{};
  std::chrono::nanoseconds compute{};
  std::chrono::nanoseconds serialize{};
};

// Why a sequence that waited was never computed.
enum class Drop { kDeadline, kAbandoned };

// Why a connection ended.
enum class ConnectionEnd {
  kOrderly,     // both sides had nothing more to say, or the server stops
  kIdle,        // no next request came in time
  kTimeout,     // a request or an answer stopped half way and ran out of time
  kClientLeft,  // the client was gone in the middle
  kRefusal,     // the last request could not be read to its end
};

// What the service counts about itself, under the names notbad_*; the figures of the process have
// those that every Prometheus client gives them, process_*. Labels are names of ours, never input.
// Any thread may call anything.
class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // One answered request: into notbad_requests_total, and its time into the route's histogram.
  void count_request(std::string_view route, std::string_view method, int status,
                     std::chrono::nanoseconds time);
  // A request that was answered with a problem; `reason` is the problem's code.
  void count_rejection(std::string_view reason);
  void count_prediction(std::string_view label);
  void observe_stages(const StageTimes& times);
  void observe_batch(std::int64_t tokens);
  void count_drop(Drop drop);

  void open_connection();
  void close_connection(ConnectionEnd end);  // one that was opened
  void refuse_connection();                  // over the limit; never opened

  // What is now; the rest only grows.
  void set_queue(std::int64_t tokens);
  void set_build(std::string_view version, std::string_view compiler);
  void set_model(std::string_view id, std::string_view version, std::string_view sha256);

  // In the text format of Prometheus, with the figures of the process as they are now.
  std::string text();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Of text().
inline constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace notbad::metrics
