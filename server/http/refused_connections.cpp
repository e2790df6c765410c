#include "server/http/refused_connections.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace notbad::http {
namespace {

constexpr std::size_t kMaxRefused = 256;
constexpr std::chrono::milliseconds kTimeToAsk{1000};
constexpr std::chrono::milliseconds kTimeToRead{300};

}  // namespace

RefusedConnections::RefusedConnections(std::function<std::string(int socket)> answer)
    : answer_(std::move(answer)) {}

RefusedConnections::~RefusedConnections() {
  for (Refused& refused : refused_) {
    answer(refused);
    close(refused.socket);
  }
}

void RefusedConnections::add(int socket) {
  if (refused_.size() == kMaxRefused) {
    answer(refused_.front());
    close(refused_.front().socket);
    refused_.pop_front();
  }
  refused_.push_back({socket, Clock::now() + kTimeToAsk});
}

void RefusedConnections::append_to(std::vector<pollfd>& polled) const {
  for (const Refused& refused : refused_) polled.push_back({refused.socket, POLLIN, 0});
}

int RefusedConnections::milliseconds_left() const {
  if (refused_.empty()) return -1;
  const auto next = std::ranges::min_element(refused_, {}, &Refused::deadline)->deadline;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

void RefusedConnections::attend() {
  for (Refused& refused : refused_) {
    attend(refused);
    if (refused.is_over) close(refused.socket);
  }
  std::erase_if(refused_, [](const Refused& refused) { return refused.is_over; });
}

void RefusedConnections::answer(Refused& refused) const {
  if (refused.is_answered) return;
  const std::string text = answer_(refused.socket);
  send(refused.socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(refused.socket, SHUT_WR);
  refused.is_answered = true;
  refused.deadline = Clock::now() + kTimeToRead;
}

void RefusedConnections::attend(Refused& refused) const {
  std::array<char, 16'384> waste{};
  const ssize_t count = recv(refused.socket, waste.data(), waste.size(), MSG_DONTWAIT);
  const bool is_silent = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  const bool has_asked = count > 0 || (is_silent && refused.deadline <= Clock::now());
  if (has_asked) answer(refused);
  refused.is_over = (count <= 0 && !is_silent) || refused.deadline <= Clock::now();
}

}  // namespace notbad::http
