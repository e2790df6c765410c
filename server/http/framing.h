#pragma once

#include <cstdint>
#include <tl/expected.hpp>

#include "server/api/problem.h"
#include "server/http/http_options.h"
#include "server/http/request_head.h"

namespace notbad::http {

// Where the body of a request begins and ends is decided here alone, and strictly: what two
// programs could read differently is refused, so that no body is taken for the next request.
// Returns the length of the body.
tl::expected<std::int64_t, api::Problem> check_framing(const RequestHead& head,
                                                       const HttpOptions& options);

}  // namespace notbad::http
