#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace notbad::http {

// An HTTP client that sends exactly the bytes it is told to. Every wait ends after 10 s.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // a server that has refused already need not read the rest
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // One whole answer by its Content-Length; the head alone where it has none or `has_body` is off.
  std::string answer(bool has_body = true) {
    while (input_.find("\r\n\r\n") == std::string::npos && fill()) {
    }
    std::size_t size = input_.find("\r\n\r\n");
    size = size == std::string::npos ? input_.size() : size + 4;
    const std::string length = header(input_.substr(0, size), "Content-Length");
    if (has_body && !length.empty()) size += std::strtoul(length.c_str(), nullptr, 10);
    return bytes(size);
  }

  // The next so many bytes, fewer where the server ends the connection before.
  std::string bytes(std::size_t size) {
    while (input_.size() < size && fill()) {
    }
    std::string bytes = input_.substr(0, size);
    input_.erase(0, bytes.size());
    return bytes;
  }

  // Whether the server ends the connection without another byte; a reset is no orderly end.
  bool is_closed() { return input_.empty() && !fill(); }

  // Whether the server has broken off: no byte of what it still had to send comes any more.
  bool is_reset() {
    pollfd one{socket_, 0, 0};
    return poll(&one, 1, kPatienceMs) > 0 && (one.revents & POLLERR) != 0;
  }

  static std::string header(const std::string& answer, const std::string& name) {
    const std::size_t begin = answer.find("\r\n" + name + ": ");
    if (begin == std::string::npos) return "";
    const std::size_t value = begin + name.size() + 4;
    return answer.substr(value, answer.find("\r\n", value) - value);
  }

 private:
  static constexpr int kPatienceMs = 10'000;

  bool fill() {
    pollfd one{socket_, POLLIN, 0};
    char bytes[4096];
    if (poll(&one, 1, kPatienceMs) <= 0) throw std::runtime_error("the server is silent");
    const ssize_t count = recv(socket_, bytes, sizeof(bytes), 0);
    if (count < 0) throw std::runtime_error("the server has reset the connection");
    input_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  int socket_;
  std::string input_;
};

}  // namespace notbad::http
