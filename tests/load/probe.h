#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/load/client.h"

namespace notbad::load {

// What a probe took, from when it was due.
struct ProbeTime {
  Clock::time_point due;
  double ms = 0;
};

struct ProbeResult {
  std::vector<ProbeTime> probes;
  std::vector<ProbeTime> controls;
  std::vector<ProbeTime> scrapes;
  std::int64_t failed = 0;  // not 200, or no answer within 2 s; scrapes count
  std::int64_t over = 0;    // took more than 100 ms
  // Took more than 100 ms longer than every control around it: the server's doing, and not that of
  // a machine on which even a thread that does nothing has to wait for a core.
  std::int64_t slow = 0;
};

// Asks the server twenty times a second for /livez and /readyz, every other time over a new
// connection. At the same instants a byte goes to an idle thread of this program and back over
// loopback, which is what such an exchange costs on this machine now: the control. Besides, it may
// ask for /metrics so many times a second, over one connection.
class Probe {
 public:
  Probe(std::uint16_t port, double scrapes_per_second);
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  ProbeResult end();

 private:
  void probe();
  void scrape(double per_second);
  void control();
  void echo() const;
  bool ask(Client& client, const Request& request) const;
  void judge();

  const std::uint16_t port_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<bool> is_over_ = false;
  const std::array<int, 2> echo_sockets_;
  ProbeResult result_;
  std::int64_t failed_scrapes_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace notbad::load
