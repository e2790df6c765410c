#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace notbad::http {

// Serves each connection on a thread of its own. A thread is made where none is free and kept for
// the next connection, so that there are never more than connections at once, nor more than the
// limit. A thread that waits costs some 20 KB.
class ConnectionThreads {
 public:
  // `serve` is called with each socket and must not throw. The socket is closed once the place is
  // free, so that a client that comes back at the end of its connection finds one.
  ConnectionThreads(std::int64_t limit, std::function<void(int socket)> serve);
  ~ConnectionThreads();  // waits for all of them

  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  // Takes the socket over; false, and nothing is taken, where the limit is reached or the system
  // gives no thread.
  bool take(int socket);

  // Waits until no connection is served any more; false where that lasts beyond `deadline`.
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline);

 private:
  void run();
  bool add_thread();

  const std::int64_t limit_;
  const std::function<void(int)> serve_;
  std::mutex mutex_;  // guards all below
  std::condition_variable arrived_;
  std::condition_variable ended_;
  std::deque<int> waiting_;       // taken, but not yet with a thread
  std::int64_t connections_ = 0;  // taken and not yet served to the end
  bool is_ending_ = false;
  std::vector<pthread_t> threads_;
};

}  // namespace notbad::http
