#include "server/http/connection_threads.h"

#include <unistd.h>

#include <utility>

namespace notbad::http {
namespace {

// Of address space, touched only as far as it is used. The standard's threads take 8 MB each.
constexpr std::size_t kStackBytes = 1'048'576;

}  // namespace

ConnectionThreads::ConnectionThreads(std::int64_t limit, std::function<void(int)> serve)
    : limit_(limit), serve_(std::move(serve)) {}

ConnectionThreads::~ConnectionThreads() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  arrived_.notify_all();
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

bool ConnectionThreads::take(int socket) {
  const std::lock_guard lock(mutex_);
  if (connections_ == limit_) return false;
  if (std::cmp_equal(threads_.size(), connections_) && !add_thread()) return false;
  ++connections_;
  waiting_.push_back(socket);
  arrived_.notify_one();
  return true;
}

bool ConnectionThreads::wait_until_idle(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return ended_.wait_until(lock, deadline, [this] { return connections_ == 0; });
}

void ConnectionThreads::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    arrived_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const int socket = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    serve_(socket);
    lock.lock();
    if (--connections_ == 0) ended_.notify_all();
    lock.unlock();
    close(socket);
    lock.lock();
  }
}

// The standard's threads cannot be told the size of their stack.
bool ConnectionThreads::add_thread() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const auto start = [](void* self) -> void* {
    static_cast<ConnectionThreads*>(self)->run();
    return nullptr;
  };
  pthread_t thread{};
  const bool is_started = pthread_create(&thread, &attributes, start, this) == 0;
  pthread_attr_destroy(&attributes);
  if (is_started) threads_.push_back(thread);
  return is_started;
}

}  // namespace notbad::http
