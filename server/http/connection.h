#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "server/api/problem.h"
#include "server/http/http_options.h"
#include "server/http/request_head.h"

namespace notbad::http {

// Thrown where a request gets an answer, but no handler sees it, and the connection ends.
struct Refusal {
  api::Problem problem;
};

// Thrown where the client is gone and nobody waits for an answer.
struct Hangup {
  bool is_between_requests = false;
};

// One accepted socket with its deadlines and buffers; every wait is bounded by an absolute time, so
// that a client who sends or reads slowly is cut off. Used by one thread, but for cut_off().
class Connection {
 public:
  // `stop_event` becomes readable when the server stops. Owns neither of them nor `options`.
  Connection(int socket, int stop_event, const HttpOptions& options);

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Address of the other end of the socket, whatever headers say.
  const std::string& client() const { return client_; }

  // Tells from any thread whether the client has closed its side. It may be asked after the end of
  // this object, when nobody heeds what it says.
  std::function<bool()> departure() const;

  // True once the next request begins to arrive; false after the idle timeout, or on a stop.
  bool wait_for_request();

  // The head of that request. Throws a Refusal as soon as it is malformed, too large or late.
  RequestHead read_head();

  // The `size` bytes that follow. Throws a Refusal where they are late.
  std::string read_body(std::size_t size);

  // Sends what comes before an answer.
  bool send_interim(std::string_view text);

  // From here on the answer is this thread's to write, and its time runs.
  void begin_answer();

  // Collects small pieces, so that an answer leaves in one packet. False once the client is gone or
  // has not taken the answer in time; then closing resets the connection.
  bool write(const char* bytes, std::size_t size);
  bool flush();

  // Whether the time of the current phase is over.
  bool is_late() const;

  // Says that nothing more comes and reads a little of what the client still sends: closing with
  // unread bytes would make the kernel drop the answer on its way.
  void linger();

  // From any thread: ends the connection, after giving `answer` to a request that has come and has
  // none yet. False where no request was in work.
  bool cut_off(std::string_view answer);

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kIdle, kInWork, kAnswering, kCutOff };

  bool fill();
  bool send_all(const char* bytes, std::size_t size);
  void reset_on_close() const;
  bool wait_for(short events, Clock::time_point deadline) const;

  const int socket_;
  const int stop_event_;
  const HttpOptions& options_;
  const std::string client_;
  std::atomic<State> state_ = State::kIdle;  // decides who writes the answer
  Clock::time_point deadline_;               // of what the current phase waits for
  bool is_broken_ = false;
  std::string input_;  // received, not yet read
  std::string output_;
};

}  // namespace notbad::http
