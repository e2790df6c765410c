#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace notbad::api {

struct Header {
  std::string name;
  std::string value;
};

// An HTTP request without its socket.
struct Request {
  std::string method;
  std::string path;  // decoded, without the query
  std::vector<Header> headers;
  std::string body;

  // The first header of that name, whatever its case; null where there is none.
  const std::string* find_header(std::string_view name) const;
};

// What one request cost, for the log line, the Server-Timing header and the answer alike.
struct RequestFigures {
  std::int64_t tokens = 0;
  std::chrono::nanoseconds tokenize{};
  std::chrono::nanoseconds queue{};
  std::chrono::nanoseconds compute{};
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<Header> headers;  // besides Content-Type and Content-Length
  std::string body;
  std::optional<RequestFigures> figures;
};

}  // namespace notbad::api
