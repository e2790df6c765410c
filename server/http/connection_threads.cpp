#include "server/http/connection_threads.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace notbad::http {
namespace {

// Of address space, touched only as far as it is used. The standard's threads take 8 MB each.
constexpr std::size_t kStackBytes = 1'048'576;
constexpr int kNoSocket = -1;

}  // namespace

struct ConnectionThreads::Thread {
  ConnectionThreads& owner;
  int socket;  // to serve, or kNoSocket
  std::condition_variable arrived;
  pthread_t handle{};
};

ConnectionThreads::ConnectionThreads(std::int64_t limit, std::function<void(int)> serve,
                                     std::chrono::milliseconds spare_time)
    : limit_(limit), serve_(std::move(serve)), spare_time_(spare_time) {}

ConnectionThreads::~ConnectionThreads() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    for (Thread* thread : free_) thread->arrived.notify_one();
  }
  // From now on none takes itself out of threads_, so that no lock is needed here.
  for (const auto& thread : threads_) pthread_join(thread->handle, nullptr);
  join_finished();
}

bool ConnectionThreads::take(int socket) {
  join_finished();
  const std::lock_guard lock(mutex_);
  if (connections_ == limit_) return false;
  if (free_.empty()) {
    if (!add_thread(socket)) return false;
  } else {
    free_.back()->socket = socket;
    free_.back()->arrived.notify_one();
    free_.pop_back();
  }
  ++connections_;
  return true;
}

bool ConnectionThreads::wait_until_idle(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return ended_.wait_until(lock, deadline, [this] { return connections_ == 0; });
}

std::int64_t ConnectionThreads::num_threads() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(threads_);
}

void ConnectionThreads::run(Thread& self) {
  std::unique_lock lock(mutex_);
  do {
    const int socket = std::exchange(self.socket, kNoSocket);
    lock.unlock();
    serve_(socket);
    lock.lock();
    if (--connections_ == 0) ended_.notify_all();
    free_.push_back(&self);
    lock.unlock();
    close(socket);
    lock.lock();
  } while (wait_for_socket(self, lock));
}

// False where the thread is to end: nothing came, or nothing will.
bool ConnectionThreads::wait_for_socket(Thread& self, std::unique_lock<std::mutex>& lock) {
  self.arrived.wait_for(lock, spare_time_, [&] { return self.socket != kNoSocket || is_ending_; });
  if (self.socket != kNoSocket) return true;
  if (is_ending_) return false;
  std::erase(free_, &self);
  const auto place =
      std::ranges::find_if(threads_, [&self](const auto& thread) { return thread.get() == &self; });
  finished_.push_back(std::move(*place));
  threads_.erase(place);
  return false;
}

// The standard's threads cannot be told the size of their stack.
bool ConnectionThreads::add_thread(int socket) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const auto start = [](void* self) -> void* {
    auto& thread = *static_cast<Thread*>(self);
    thread.owner.run(thread);
    return nullptr;
  };
  auto thread = std::make_unique<Thread>(*this, socket);
  const bool is_started = pthread_create(&thread->handle, &attributes, start, thread.get()) == 0;
  pthread_attr_destroy(&attributes);
  if (is_started) threads_.push_back(std::move(thread));
  return is_started;
}

void ConnectionThreads::join_finished() {
  std::vector<std::unique_ptr<Thread>> finished;
  {
    const std::lock_guard lock(mutex_);
    finished.swap(finished_);
  }
  for (const auto& thread : finished) pthread_join(thread->handle, nullptr);
}

}  // namespace notbad::http
