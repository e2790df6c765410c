#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/load/client.h"
#include "tests/load/requests.h"

namespace notbad::load {

// How many clients of each bad habit there are; one that the server is done with comes back at
// once.
struct CrowdOptions {
  std::uint16_t port = 0;
  int idle = 0;            // connect and say nothing
  int tricklers = 0;       // send a head a byte at a time, twice a second
  int slow_readers = 0;    // ask for the largest maps and take 1 KB of them twice a second
  double disconnects = 0;  // clients a second that ask and leave before the answer
};

// Clients that cost a server patience, on a thread of their own. They count how they ended.
class Crowd {
 public:
  explicit Crowd(const CrowdOptions& options);
  ~Crowd();
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  // Has all of them leave. "idle 5 s: closed" and the like, with how often it happened: the time in
  // whole seconds from connecting to the end, and the status that came, or "closed" without one.
  std::map<std::string, std::int64_t> end();

 private:
  enum class Habit { kIdle, kTrickler, kSlowReader, kLeaver };
  struct Member {
    Habit habit;
    int socket = -1;
    Clock::time_point since{};
    Clock::time_point next_act{};
    std::size_t sent = 0;
    std::string received{};
    bool has_more = true;  // unread bytes wait for a slow reader
  };

  void run();
  void act(Member& member, Clock::time_point now);
  void enter(Member& member, Clock::time_point now);
  void listen_to(Member& member, std::size_t most);
  void leave(Member& member);
  static const char* name_of(Habit habit);

  const CrowdOptions options_;
  const Request maps_ = largest_maps();
  const Request short_ = post("/v1/classify", R"({"inputs": "The movie was not bad"})");
  std::vector<Member> members_;
  std::mt19937 generator_{1};
  std::map<std::string, std::int64_t> ends_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace notbad::load
