#pragma once

#include <string>

#include "server/api/message.h"

namespace notbad::api {

// The X-Request-Id of the request where it is 1 to 64 of [A-Za-z0-9._-], so that it is safe in a
// log and a header; else 16 random hex digits.
std::string request_id(const Request& request);

}  // namespace notbad::api
