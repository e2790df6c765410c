#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace notbad::http {

// Asks the server at this address for /readyz, as a container's probe does. An address that means
// all interfaces is asked on loopback. Fails with kNotReady where no 200 comes within `patience`.
Result<void> check_health(const std::string& host, std::uint16_t port,
                          std::chrono::milliseconds patience);

}  // namespace notbad::http
