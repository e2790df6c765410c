#include "server/http/stop_signal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "core/base/check.h"

namespace notbad::http {
namespace {

constexpr int kExitUnfinished = 1;

// nohup starts programs so.
bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

StopSignal::StopSignal() {
  for (const int signal : {SIGUSR1, SIGUSR2, SIGPIPE}) std::signal(signal, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  check(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0, "StopSignal: signals cannot be blocked");
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  end_event_ = eventfd(0, EFD_CLOEXEC);
  check(signals_ >= 0 && end_event_ >= 0, "StopSignal: no descriptors");
  watcher_ = std::thread([this] { watch(); });
}

StopSignal::~StopSignal() {
  eventfd_write(end_event_, 1);
  watcher_.join();
  close(signals_);
  close(end_event_);
}

void StopSignal::wait() {
  std::unique_lock lock(mutex_);
  came_.wait(lock, [this] { return has_come_; });
}

void StopSignal::watch() {
  if (!next_signal()) return;
  if (!has_work_) _exit(0);
  {
    const std::lock_guard lock(mutex_);
    has_come_ = true;
  }
  came_.notify_all();
  if (next_signal()) _exit(kExitUnfinished);
}

// False once this object goes.
bool StopSignal::next_signal() const {
  std::array<pollfd, 2> both = {pollfd{signals_, POLLIN, 0}, pollfd{end_event_, POLLIN, 0}};
  while (poll(both.data(), both.size(), -1) < 0 && errno == EINTR) {
  }
  signalfd_siginfo info{};
  return both[0].revents != 0 && read(signals_, &info, sizeof(info)) == sizeof(info);
}

}  // namespace notbad::http
