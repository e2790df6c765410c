#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/api/problem.h"
#include "server/http/http_options.h"

namespace notbad::http {

// Thrown through the library's request parser: this request gets an answer, but no handler sees
// it, and the connection ends.
struct Refusal {
  api::Problem problem;
};

// Thrown where the client is gone and nobody waits for an answer.
struct Hangup {};

// One accepted socket with its deadlines and buffers; every wait is bounded by an absolute time, so
// that a client who sends or reads slowly is cut off. Used by one thread; closes the socket.
class Connection {
 public:
  // `stop_event` becomes readable when the server stops; neither it nor `options` is owned.
  Connection(int socket, int stop_event, const HttpOptions& options);
  ~Connection();

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // True once the next request begins to arrive; false after the idle timeout, or on a stop.
  bool wait_for_request();

  // The phases of a request set the deadline of what follows.
  void begin_head();
  void begin_body();
  void begin_answer();

  // At least one byte, or 0 at the end of the stream. Throws a Refusal where the phase's time or
  // the head's bytes are used up.
  std::size_t read(char* bytes, std::size_t size);

  // Collects small pieces, so that an answer leaves in one packet. False once the client is gone.
  bool write(const char* bytes, std::size_t size);
  bool flush();

  // Says that nothing more comes and reads a little of what the client still sends: closing with
  // unread bytes would make the kernel drop the answer on its way.
  void linger();

 private:
  using Clock = std::chrono::steady_clock;

  bool fill();
  bool send_all(const char* bytes, std::size_t size);
  bool wait_for(short events, Clock::time_point deadline) const;

  const int socket_;
  const int stop_event_;
  const HttpOptions& options_;
  Clock::time_point deadline_;  // of what the current phase waits for
  std::int64_t head_bytes_left_ = 0;
  bool is_in_head_ = false;
  bool is_broken_ = false;
  std::string input_;  // received, not yet read from input_position_ on
  std::size_t input_position_ = 0;
  std::string output_;
};

}  // namespace notbad::http
