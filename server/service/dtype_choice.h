#pragma once

#include <string>

#include "core/base/result.h"
#include "core/ops/dtype.h"

namespace notbad::service {

// What --dtype means on this processor: "auto" is the fastest that it has, any other word itself.
// Fails with kInvalidArgument where the word is unknown, or the processor cannot do it, saying what
// it lacks and what to take instead.
Result<ops::Dtype> choose_dtype(const std::string& word);

}  // namespace notbad::service
