// Whole connections over a real socket: whatever a client sends, each answer is whole, a refusal is
// the last one, there are no more answers than requests could have been, and the server lives on.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "server/http/http_server.h"
#include "tests/fuzz/memory_file.h"

using namespace notbad;
using fuzzing::require;

namespace {

constexpr std::string_view kShortestRequest = "GET / HTTP/1.0\r\n\r\n";

// A server that answers what it is sent.
class EchoServer {
 public:
  EchoServer() {
    spdlog::set_level(spdlog::level::off);
    const auto echo = [](const api::Request& request, const api::Exchange&) {
      api::Response response;
      response.body = request.body;
      return api::Answer(response);
    };
    router_.add({api::RouteKind::kPage, "/", echo});
    router_.add({api::RouteKind::kJson, "/echo", echo});
    server_ =
        std::move(*http::HttpServer::start({.port = 0, .max_body_bytes = 1000}, router_, metrics_));
  }

  std::string answers_to(std::string_view bytes) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The fuzzer's alarm may interrupt each of these; an interrupted connect goes on by itself.
    if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
      require(errno == EINTR);
      pollfd connected{socket, POLLOUT, 0};
      while (poll(&connected, 1, -1) < 0) require(errno == EINTR);
    }
    while (!bytes.empty()) {
      const ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    shutdown(socket, SHUT_WR);
    std::string answers;
    char buffer[4096];
    while (true) {
      const ssize_t count = recv(socket, buffer, sizeof(buffer), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      answers.append(buffer, static_cast<std::size_t>(count));
    }
    close(socket);
    return answers;
  }

 private:
  metrics::Metrics metrics_;
  api::Router router_{{}, metrics_};
  std::unique_ptr<http::HttpServer> server_;
};

// The length of the answer that `answers` begins with.
std::size_t check_answer(std::string_view answers) {
  require(answers.starts_with("HTTP/1.1 "));
  const std::size_t end = answers.find("\r\n\r\n");
  require(end != std::string_view::npos);
  const std::string_view head = answers.substr(0, end);
  if (head.starts_with("HTTP/1.1 100")) return end + 4;
  const std::size_t length = head.find("Content-Length: ");
  require(length != std::string_view::npos || head.starts_with("HTTP/1.1 204"));
  const std::size_t body =
      length == std::string_view::npos ? 0 : std::strtoul(head.data() + length + 16, nullptr, 10);
  require(end + 4 + body <= answers.size());
  const bool is_last = head.find("\r\nConnection: close") != std::string_view::npos;
  require(!is_last || end + 4 + body == answers.size());
  return end + 4 + body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const EchoServer server;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // Their answers tell the length of a body that does not come.
  if (bytes.find("HEAD") != std::string_view::npos) return 0;
  const std::string answers = server.answers_to(bytes);
  std::size_t count = 0;
  for (std::size_t done = 0; done < answers.size(); ++count)
    done += check_answer(std::string_view(answers).substr(done));
  // One more: what is left at the end may be refused, and an invitation to send a body counts.
  require(count <= 2 * (size / kShortestRequest.size()) + 1);
  return 0;
}
