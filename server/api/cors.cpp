#include "server/api/cors.h"

namespace notbad::api {

std::vector<Header> cors_headers(const Request& request, const std::string& allowed_origin,
                                 const std::string& allow) {
  if (allowed_origin.empty()) return {};
  // Even where it is refused: a cache must not give one origin's answer to another.
  std::vector<Header> headers = {{"Vary", "Origin"}};
  const std::string* origin = request.find_header("Origin");
  if (origin == nullptr || *origin != allowed_origin) return headers;
  headers.push_back({"Access-Control-Allow-Origin", allowed_origin});
  if (request.method == "OPTIONS") {
    headers.push_back({"Access-Control-Allow-Methods", allow});
    headers.push_back({"Access-Control-Allow-Headers", "Content-Type, X-Request-Id, X-Timeout-Ms"});
    headers.push_back({"Access-Control-Max-Age", "600"});
  } else {
    headers.push_back(
        {"Access-Control-Expose-Headers", "Retry-After, Server-Timing, X-Request-Id"});
  }
  return headers;
}

}  // namespace notbad::api
