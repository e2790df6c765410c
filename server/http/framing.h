#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "server/api/message.h"
#include "server/api/problem.h"
#include "server/http/http_options.h"

namespace notbad::http {

// What the request line says besides the method.
struct RequestLine {
  std::string_view version;  // HTTP/1.1
  std::string_view target;   // the address as it was sent
};

// Where the body of a request begins and ends is decided here alone, and strictly: what two
// programs could read differently is refused, so that no body is taken for the next request.
// Returns the length of the body.
tl::expected<std::int64_t, api::Problem> check_framing(const api::Request& head,
                                                       const RequestLine& line,
                                                       const HttpOptions& options);

}  // namespace notbad::http
