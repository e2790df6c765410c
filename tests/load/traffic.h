#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/load/client.h"
#include "tests/load/requests.h"

namespace notbad::load {

struct TrafficOptions {
  std::uint16_t port = 0;
  double rate = 100;     // requests a second, whatever becomes of them; 0: each client asks again
                         // as soon as it has its answer, which measures the capacity
  double seconds = 10;   // in which requests are due
  int connections = 32;  // kept; a request that finds none free waits, and that time counts
  bool may_end = false;  // the server ends meanwhile: nothing is due once it refuses connections
};

struct TrafficResult {
  std::map<std::string, std::int64_t> statuses;    // "200" and so on, of all answers
  std::map<std::string, std::int64_t> unexpected;  // answers that are not as they have to be
  std::vector<double> latencies;                   // ms, of answers with 200, from when it was due
  std::int64_t due = 0;
  std::int64_t lost = 0;       // sent, and not answered whole
  std::int64_t raced = 0;      // closed by the server as they were sent, then sent again
  std::int64_t refused = 0;    // no connection
  double seconds = 0;          // from the first request to the last answer
  double recovered_after = 0;  // s after the last request was due until no request was in work
};

// Requests at a constant rate over connections that are kept. The rate does not wait for answers,
// and latency counts from when a request was due, so that no stall hides the requests behind it.
class Traffic {
 public:
  Traffic(const TrafficOptions& options, RequestMix& mix);
  ~Traffic();
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  // Returns once every request has its end, at the latest 30 s after the last one was due.
  TrafficResult run();

 private:
  struct Due {
    const Request* request;
    Clock::time_point at;
  };

  void add_due(Clock::time_point now);
  void start_waiting();
  void start(std::size_t client, const Due& due);
  void wait(Clock::time_point until);
  void watch(std::size_t client);
  void finish(const Completion& completion);
  void judge(const Completion& completion);
  std::size_t in_work() const { return clients_.size() - free_.size(); }
  void close_the_books(Clock::time_point start);

  const TrafficOptions options_;
  RequestMix& mix_;
  const int epoll_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::deque<std::size_t> free_;  // clients; the one that has rested longest first
  std::deque<Due> waiting_;
  Clock::time_point next_due_;
  Clock::time_point end_;
  bool is_gone_ = false;  // the server
  TrafficResult result_;
};

}  // namespace notbad::load
