#pragma once

#include <vector>

#include "core/base/check.h"

namespace notbad::service {

// f = z_pos - z_neg, what an answer weighs for positive and against negative, on which every effect
// is a difference: f(with) - f(without). `logits` are those of two labels, the negative one first.
inline float evidence(const std::vector<float>& logits) {
  check(logits.size() == 2, "evidence: expected the logits of two labels");
  return logits[1] - logits[0];
}

}  // namespace notbad::service
