#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace notbad::http {

// Turns SIGTERM, SIGINT and SIGHUP (unless the program was started with it ignored) into something
// to wait for, and ignores SIGUSR1, SIGUSR2 and SIGPIPE. To be made before any other thread, which
// then inherits that the signals are blocked. The first signal asks for an orderly end, a second
// ends the program at once with exit code 1.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();

  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Until this is called there is nothing that could be finished: the first signal ends the program
  // at once, with exit code 0.
  void expect_work() { has_work_ = true; }

  // Blocks until the first signal.
  void wait();

 private:
  void watch();
  bool next_signal() const;

  int signals_;    // a signalfd
  int end_event_;  // readable once this object goes
  std::atomic<bool> has_work_ = false;
  std::mutex mutex_;  // guards has_come_
  std::condition_variable came_;
  bool has_come_ = false;
  std::thread watcher_;
};

}  // namespace notbad::http
