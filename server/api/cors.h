#pragma once

#include <string>
#include <vector>

#include "server/api/message.h"

namespace notbad::api {

// What lets a page of `allowed_origin` read the answer to `request`; nothing where no origin is
// allowed. A preflight is told the methods of its path as well, `allow` as in the header Allow.
std::vector<Header> cors_headers(const Request& request, const std::string& allowed_origin,
                                 const std::string& allow);

}  // namespace notbad::api
