#pragma once

#include <poll.h>

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace notbad::http {

// Connections beyond the limit: each is told so once its request comes, and closed a little later,
// so that the answer is not lost to bytes that arrive meanwhile. They have no thread: whoever
// accepts polls for them too. Used by one thread.
class RefusedConnections {
 public:
  // `answer` makes the text that a socket gets.
  explicit RefusedConnections(std::function<std::string(int socket)> answer);
  ~RefusedConnections();  // answers and closes those that are left

  RefusedConnections(const RefusedConnections&) = delete;
  RefusedConnections& operator=(const RefusedConnections&) = delete;

  // Takes the socket over; where too many are there, the oldest ends at once.
  void add(int socket);

  // What to poll for, appended; milliseconds until the next one ends, -1 for never.
  void append_to(std::vector<pollfd>& polled) const;
  int milliseconds_left() const;

  // Reads from all of them without waiting, answers who has asked and ends whose time is over.
  void attend();

 private:
  using Clock = std::chrono::steady_clock;
  struct Refused {
    int socket;
    Clock::time_point deadline;
    bool is_answered = false;
    bool is_over = false;
  };

  void answer(Refused& refused) const;
  void attend(Refused& refused) const;

  const std::function<std::string(int socket)> answer_;
  std::deque<Refused> refused_;
};

}  // namespace notbad::http
