#pragma once

#include <string>

namespace notbad::ops {

// Of the oneDNN that is loaded, as in "2.6.3".
std::string engine_version();

}  // namespace notbad::ops
