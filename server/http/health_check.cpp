#include "server/http/health_check.h"

#include <httplib.h>

#include "server/http/listen_socket.h"

namespace notbad::http {
namespace {

// An address to connect to for one to listen on.
std::string reachable(const std::string& host) {
  if (host == "localhost" || host == "0.0.0.0") return "127.0.0.1";
  return host == "::" ? "::1" : host;
}

}  // namespace

Result<void> check_health(const std::string& host, std::uint16_t port,
                          std::chrono::milliseconds patience) {
  httplib::Client client(reachable(host), port);
  client.set_connection_timeout(patience);
  client.set_read_timeout(patience);
  const auto answer = client.Get("/readyz");
  if (answer && answer->status == 200) return {};
  const std::string found =
      answer ? "answers " + std::to_string(answer->status) : "does not answer";
  return fail(ErrorCode::kNotReady, to_url(host, port) + "/readyz " + found);
}

}  // namespace notbad::http
