#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tests/load/requests.h"

namespace notbad::load {

using Clock = std::chrono::steady_clock;

// What a client notices of an answer.
struct Answer {
  int status = 0;
  bool has_retry_after = false;
};

enum class End {
  kAnswered,
  kRaced,    // a kept connection was closed while the request was on its way: it may be sent again
  kLost,     // the server had the request, as far as a client can tell, and did not answer it whole
  kRefused,  // no connection
};

struct Completion {
  const Request* request = nullptr;
  Clock::time_point due;
  End end = End::kLost;
  Answer answer{};
};

// A socket to the server on loopback that does not block: -1 where there is none to be had.
int connect_to(std::uint16_t port);

// One connection that is kept for the next request wherever the server lets it. Whoever owns it
// polls its descriptor; used by one thread.
class Client {
 public:
  explicit Client(std::uint16_t port) : port_(port) {}
  ~Client() { disconnect(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_free() const { return request_ == nullptr; }
  int socket() const { return socket_; }  // -1: none
  // Whether the socket is another one than at the last call.
  bool is_new_socket() { return std::exchange(is_new_, false); }

  // Sends `request`, which must outlive its completion, over a new connection where there is none.
  std::optional<Completion> start(const Request& request, Clock::time_point due);

  // To be called when something has happened on the socket.
  std::optional<Completion> proceed();

 private:
  bool send_rest();
  bool receive();
  std::optional<Answer> read_answer();
  Completion complete(End end, Answer answer = {});
  void disconnect();

  const std::uint16_t port_;
  int socket_ = -1;
  bool is_new_ = false;
  bool is_kept_ = false;  // has answered a request before
  const Request* request_ = nullptr;
  Clock::time_point due_;
  std::size_t sent_ = 0;
  bool is_last_ = false;
  std::string input_;
};

}  // namespace notbad::load
