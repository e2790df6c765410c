#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace notbad::http {

struct HttpOptions {
  std::string host = "127.0.0.1";   // an IP address or localhost
  std::uint16_t port = 8080;        // 0: the system chooses
  std::int64_t connections = 1024;  // a thread each; the next one is told 503
  std::int64_t max_body_bytes = 262'144;
  std::int64_t max_head_bytes = 16'384;  // request line and headers
  std::int64_t max_fields = 64;          // headers of one request
  std::int64_t max_uri_bytes = 2048;
  std::chrono::milliseconds head_timeout{5000};  // whole head, from its first byte
  std::chrono::milliseconds body_timeout{10000};
  std::chrono::milliseconds write_timeout{10000};
  std::chrono::milliseconds idle_timeout{5000};  // until the first or next request begins
};

}  // namespace notbad::http
