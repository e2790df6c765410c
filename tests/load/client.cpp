#include "tests/load/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace notbad::load {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";

bool would_block() { return errno == EAGAIN || errno == EINPROGRESS || errno == EINTR; }

std::string header(const std::string& head, const std::string& name) {
  const std::size_t begin = head.find("\r\n" + name + ": ");
  if (begin == std::string::npos) return "";
  const std::size_t value = begin + name.size() + 4;
  return head.substr(value, head.find("\r\n", value) - value);
}

}  // namespace

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 ||
      would_block())
    return socket;
  close(socket);
  return -1;
}

std::optional<Completion> Client::start(const Request& request, Clock::time_point due) {
  request_ = &request;
  due_ = due;
  sent_ = 0;
  is_last_ = false;
  input_.clear();
  if (socket_ < 0) {
    socket_ = connect_to(port_);
    is_new_ = socket_ >= 0;
  }
  if (socket_ < 0) return complete(End::kRefused);
  return proceed();
}

std::optional<Completion> Client::proceed() {
  if (socket_ < 0) return std::nullopt;
  const bool is_sending = send_rest();
  const bool is_open = receive();
  if (request_ == nullptr) {
    if (!is_open) disconnect();
    return std::nullopt;
  }
  if (const auto answer = read_answer()) return complete(End::kAnswered, *answer);
  if (is_open) return std::nullopt;
  if (!is_sending && sent_ == 0 && !is_kept_) return complete(End::kRefused);
  return complete(is_kept_ && input_.empty() ? End::kRaced : End::kLost);
}

// False once nothing more can be sent; what the server has said may still be read.
bool Client::send_rest() {
  while (request_ != nullptr && sent_ < request_->text.size()) {
    const ssize_t count = send(socket_, request_->text.data() + sent_,
                               request_->text.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0) return would_block() || errno == ENOTCONN;
    sent_ += static_cast<std::size_t>(count);
  }
  return true;
}

// False at the end of the connection.
bool Client::receive() {
  std::array<char, 65'536> bytes{};
  while (true) {
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count <= 0) return count < 0 && would_block();
    input_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

std::optional<Answer> Client::read_answer() {
  const std::size_t end = input_.find(kEndOfHead);
  if (end == std::string::npos) return std::nullopt;
  const std::string head = input_.substr(0, end);
  const std::size_t body = std::strtoul(header(head, "Content-Length").c_str(), nullptr, 10);
  if (input_.size() < end + kEndOfHead.size() + body) return std::nullopt;
  is_last_ = header(head, "Connection") == "close";
  return Answer{std::atoi(head.c_str() + std::string_view("HTTP/1.1 ").size()),
                !header(head, "Retry-After").empty()};
}

Completion Client::complete(End end, Answer answer) {
  const Completion completion{request_, due_, end, answer};
  const bool is_whole = end == End::kAnswered && sent_ == request_->text.size() && !is_last_;
  request_ = nullptr;
  is_kept_ = true;
  if (!is_whole) disconnect();
  return completion;
}

void Client::disconnect() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  is_kept_ = false;
}

}  // namespace notbad::load
