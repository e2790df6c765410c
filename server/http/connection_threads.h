#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace notbad::http {

// Serves each connection on a thread of its own. A thread is made where none is free, so that there
// are never more than connections at once, nor more than the limit. The next connection goes to the
// one that has waited least: the same few serve ordinary traffic, and those of a burst end once
// they have waited for `spare_time`. A thread that waits costs some 20 KB, and what it has freed
// and keeps for its next connection.
class ConnectionThreads {
 public:
  static constexpr std::chrono::milliseconds kSpareTime{10'000};

  // `serve` is called with each socket and must not throw. The socket is closed once the place is
  // free, so that a client that comes back at the end of its connection finds one.
  ConnectionThreads(std::int64_t limit, std::function<void(int socket)> serve,
                    std::chrono::milliseconds spare_time = kSpareTime);
  ~ConnectionThreads();  // waits for all of them

  ConnectionThreads(const ConnectionThreads&) = delete;
  ConnectionThreads& operator=(const ConnectionThreads&) = delete;

  // Takes the socket over; false, and nothing is taken, where the limit is reached or the system
  // gives no thread.
  bool take(int socket);

  // Waits until no connection is served any more; false where that lasts beyond `deadline`.
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline);

  std::int64_t num_threads() const;

 private:
  struct Thread;

  void run(Thread& self);
  bool wait_for_socket(Thread& self, std::unique_lock<std::mutex>& lock);
  bool add_thread(int socket);
  void join_finished();

  const std::int64_t limit_;
  const std::function<void(int)> serve_;
  const std::chrono::milliseconds spare_time_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable ended_;
  std::int64_t connections_ = 0;  // taken and not yet served to the end
  bool is_ending_ = false;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Thread*> free_;                      // wait for a socket, the latest last
  std::vector<std::unique_ptr<Thread>> finished_;  // have only to be joined
};

}  // namespace notbad::http
