#include "server/http/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "server/http/listen_socket.h"

namespace notbad::http {
namespace {

constexpr std::size_t kReadBytes = 4096;
constexpr std::size_t kCollectBytes = 65'536;
constexpr std::size_t kLingerBytes = 262'144;
constexpr std::chrono::milliseconds kLingerTime{300};
// Between a client's connecting and its first byte, however soon the server stops.
constexpr std::chrono::milliseconds kTimeToSpeak{200};

int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

}  // namespace

Connection::Connection(int socket, int stop_event, const HttpOptions& options)
    : socket_(socket),
      stop_event_(stop_event),
      options_(options),
      client_(peer_address(socket)),
      deadline_(Clock::now() + kTimeToSpeak) {
  const int yes = 1;
  // Off by default, and then every answer on a reused connection waits 40 ms for the client's ACK.
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

std::function<bool()> Connection::departure() const {
  return [socket = socket_] {
    pollfd one{socket, POLLRDHUP, 0};
    return poll(&one, 1, 0) > 0;
  };
}

bool Connection::wait_for_request() {
  State previous = State::kAnswering;
  state_.compare_exchange_strong(previous, State::kIdle);
  if (previous == State::kCutOff) return false;
  bool is_coming = !input_.empty();
  if (!is_coming) {
    std::array<pollfd, 2> both = {pollfd{socket_, POLLIN, 0}, pollfd{stop_event_, POLLIN, 0}};
    const auto deadline = Clock::now() + options_.idle_timeout;
    while (poll(both.data(), both.size(), milliseconds_until(deadline)) < 0 && errno == EINTR) {
    }
    // A request that is here already is served even while stopping, and so is the first one of a
    // client that has only just connected.
    is_coming = both[0].revents != 0 || (previous == State::kIdle && wait_for(POLLIN, deadline_));
  }
  return is_coming;
}

RequestHead Connection::read_head() {
  deadline_ = Clock::now() + options_.head_timeout;
  State idle = State::kIdle;
  state_.compare_exchange_strong(idle, State::kInWork);
  std::size_t seen = 0;
  while (true) {
    // A line that has not ended yet is looked at once only, or a trickler would cost too much.
    const bool is_news = seen == 0 || input_.find('\n', seen) != std::string::npos ||
                         std::cmp_greater(input_.size(), options_.max_head_bytes);
    if (is_news && !input_.empty()) {
      auto head = parse_head(input_, options_);
      if (!head) throw Refusal{std::move(head.error())};
      if (head->is_whole()) {
        input_.erase(0, head->size);
        return std::move(*head);
      }
    }
    seen = input_.size();
    if (!fill()) throw Hangup{.is_between_requests = seen == 0};
  }
}

std::string Connection::read_body(std::size_t size) {
  deadline_ = Clock::now() + options_.body_timeout;
  input_.reserve(size);
  while (input_.size() < size) {
    if (!fill()) throw Hangup{};
  }
  std::string rest = input_.substr(size);
  std::string body = std::exchange(input_, std::move(rest));
  body.resize(size);
  return body;
}

// False at the end of the stream.
bool Connection::fill() {
  const std::size_t before = input_.size();
  input_.resize(before + kReadBytes);
  ssize_t count = -1;
  while (count < 0) {
    if (!wait_for(POLLIN, deadline_)) {
      input_.resize(before);
      throw Refusal{
          {api::ProblemCode::kRequestTimeout, "the request did not arrive whole in time"}};
    }
    count = recv(socket_, input_.data() + before, kReadBytes, MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) count = 0;
  }
  input_.resize(before + static_cast<std::size_t>(count));
  return count > 0;
}

bool Connection::send_interim(std::string_view text) {
  deadline_ = Clock::now() + options_.write_timeout;
  return send_all(text.data(), text.size());
}

void Connection::begin_answer() {
  deadline_ = Clock::now() + options_.write_timeout;
  State in_work = State::kInWork;
  if (!state_.compare_exchange_strong(in_work, State::kAnswering) && in_work == State::kCutOff)
    is_broken_ = true;
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

bool Connection::is_late() const { return Clock::now() >= deadline_; }

bool Connection::send_all(const char* bytes, std::size_t size) {
  while (!is_broken_ && size > 0) {
    const ssize_t count = send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes += count;
      size -= static_cast<std::size_t>(count);
    } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
      is_broken_ = true;
    } else if (!wait_for(POLLOUT, deadline_)) {
      is_broken_ = true;
      reset_on_close();
    }
  }
  return !is_broken_;
}

// The kernel would go on for minutes to offer the client what it does not take.
void Connection::reset_on_close() const {
  const struct linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
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

bool Connection::cut_off(std::string_view answer) {
  const State previous = state_.exchange(State::kCutOff);
  if (previous == State::kInWork)
    send(socket_, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(socket_, SHUT_RDWR);  // wakes the thread where it reads or writes
  return previous != State::kIdle;
}

bool Connection::wait_for(short events, Clock::time_point deadline) const {
  while (true) {
    if (Clock::now() >= deadline) return false;  // even for who always has one more byte
    pollfd one{socket_, events, 0};
    const int ready = poll(&one, 1, milliseconds_until(deadline));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace notbad::http
