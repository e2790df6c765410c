#include "server/http/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace notbad::http {
namespace {

constexpr std::size_t kReadBytes = 4096;
constexpr std::size_t kCollectBytes = 65'536;
constexpr std::size_t kLingerBytes = 262'144;
constexpr std::chrono::milliseconds kLingerTime{300};

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

}  // namespace

Connection::Connection(int socket, int stop_event, const HttpOptions& options)
    : socket_(socket), stop_event_(stop_event), options_(options) {
  const int yes = 1;
  // Off by default, and then every answer on a reused connection waits 40 ms for the client's ACK.
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

Connection::~Connection() { close(socket_); }

bool Connection::wait_for_request() {
  if (input_position_ < input_.size()) return true;
  std::array<pollfd, 2> both = {pollfd{socket_, POLLIN, 0}, pollfd{stop_event_, POLLIN, 0}};
  const auto deadline = Clock::now() + options_.idle_timeout;
  int ready = 0;
  do {
    ready = poll(both.data(), both.size(), milliseconds_until(deadline));
  } while (ready < 0 && errno == EINTR);
  // A request that is here already is served even while stopping.
  return ready > 0 && both[0].revents != 0;
}

void Connection::begin_head() {
  deadline_ = Clock::now() + options_.head_timeout;
  head_bytes_left_ = options_.max_head_bytes;
  is_in_head_ = true;
}

void Connection::begin_body() {
  deadline_ = Clock::now() + options_.body_timeout;
  is_in_head_ = false;
}

void Connection::begin_answer() { deadline_ = Clock::now() + options_.write_timeout; }

std::size_t Connection::read(char* bytes, std::size_t size) {
  if (input_position_ == input_.size() && !fill()) return 0;
  std::size_t count = std::min(size, input_.size() - input_position_);
  if (is_in_head_) {
    if (head_bytes_left_ == 0)
      throw Refusal{{api::ProblemCode::kHeadersTooLarge,
                     "the head of the request exceeds " + std::to_string(options_.max_head_bytes) +
                         " bytes"}};
    count = std::min(count, static_cast<std::size_t>(head_bytes_left_));
    head_bytes_left_ -= static_cast<std::int64_t>(count);
  }
  std::memcpy(bytes, input_.data() + input_position_, count);
  input_position_ += count;
  return count;
}

// False at the end of the stream.
bool Connection::fill() {
  input_.resize(kReadBytes);
  input_position_ = 0;
  ssize_t count = -1;
  while (count < 0) {
    if (!wait_for(POLLIN, deadline_)) {
      input_.clear();
      throw Refusal{
          {api::ProblemCode::kRequestTimeout, "the request did not arrive whole in time"}};
    }
    count = recv(socket_, input_.data(), input_.size(), MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) count = 0;
  }
  input_.resize(static_cast<std::size_t>(count));
  return count > 0;
}

bool Connection::write(const char* bytes, std::size_t size) {
  if (output_.size() + size <= kCollectBytes) {
    output_.append(bytes, size);
    return !is_broken_;
  }
  return flush() && send_all(bytes, size);
}

bool Connection::flush() {
  const bool is_sent = send_all(output_.data(), output_.size());
  output_.clear();
  return is_sent;
}

bool Connection::send_all(const char* bytes, std::size_t size) {
  while (!is_broken_ && size > 0) {
    const ssize_t count = send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes += count;
      size -= static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
      is_broken_ = !wait_for(POLLOUT, deadline_);
    } else {
      is_broken_ = true;
    }
  }
  return !is_broken_;
}

void Connection::linger() {
  shutdown(socket_, SHUT_WR);
  const auto deadline = Clock::now() + kLingerTime;
  std::array<char, kReadBytes> waste{};
  std::size_t wasted = 0;
  while (wasted < kLingerBytes && wait_for(POLLIN, deadline)) {
    const ssize_t count = recv(socket_, waste.data(), waste.size(), MSG_DONTWAIT);
    if (count <= 0) return;
    wasted += static_cast<std::size_t>(count);
  }
}

bool Connection::wait_for(short events, Clock::time_point deadline) const {
  while (true) {
    pollfd one{socket_, events, 0};
    const int ready = poll(&one, 1, milliseconds_until(deadline));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace notbad::http
