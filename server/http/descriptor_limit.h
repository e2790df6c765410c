#pragma once

#include <cstdint>

namespace notbad::http {

// Raises the soft limit of open descriptors to the hard one, and returns how many of the wanted
// connections fit below it beside all else that the program opens.
std::int64_t connections_within_descriptors(std::int64_t wanted);

}  // namespace notbad::http
