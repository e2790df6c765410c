#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "server/api/message.h"
#include "server/api/problem.h"
#include "server/http/http_options.h"

namespace notbad::http {

// Longest header that the library's parser takes, name and value together.
inline constexpr std::size_t kMaxFieldBytes = 8192;

// What a client sent before the body, value for value as it was sent. The library's own parser lets
// malformed lines pass and decodes percent signs within headers.
struct RequestHead {
  std::string method;
  std::string target;   // the address, undecoded, with its query
  std::string version;  // HTTP/1.0 or HTTP/1.1
  std::vector<api::Header> headers;
  std::size_t size = 0;  // in bytes, with the empty line at its end; 0 while that is to come

  bool is_whole() const { return size > 0; }
};

// Reads the lines that `bytes` begin with. Strictly: a line that two programs could read
// differently is refused, as soon as it is there, and so is what exceeds the limits.
tl::expected<RequestHead, api::Problem> parse_head(std::string_view bytes,
                                                   const HttpOptions& options);

// Whether the client wants no further request on its connection, or is too old to say.
bool is_last_request(const RequestHead& head);

}  // namespace notbad::http
