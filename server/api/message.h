#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace notbad::api {

// Names of headers and hosts are the same in any case.
bool equal_but_case(std::string_view left, std::string_view right);

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
  std::string client = "-";  // address of the socket's other end, whatever headers say
  // Whether nobody waits for the answer any more; from any thread, even after the answer.
  std::function<bool()> has_client_left = nullptr;

  // The first header of that name, whatever its case; null where there is none.
  const std::string* find_header(std::string_view name) const;

  // All headers of that name as one list with commas, which is what they mean; empty for none.
  std::string list_header(std::string_view name) const;
};

// What one request cost, for the log line, the Server-Timing header and the answer alike.
struct RequestFigures {
  std::int64_t tokens = 0;
  std::chrono::nanoseconds tokenize{};
  std::chrono::nanoseconds queue{};
  std::chrono::nanoseconds compute{};
  std::chrono::nanoseconds serialize{};
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<Header> headers;  // besides Content-Type and Content-Length
  std::string body;
  std::optional<RequestFigures> figures;
  std::shared_ptr<const void> holds{};  // what is set free once the answer is sent
};

}  // namespace notbad::api
