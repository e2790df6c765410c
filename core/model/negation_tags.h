#pragma once

#include <cstdint>

#include "core/tensor/tensor.h"

namespace notbad::model {

// What a token is to negation, in the order of the columns of NegationTags::cue.
enum class CueClass {
  kNone,
  kCue,    // the token, or the word that it is a piece of, negates
  kAffix,  // the negation is part of the word, as in "unhappy"
};
inline constexpr std::int64_t kNumCueClasses = 3;

// What the tagging head says of one sequence, in logits.
struct NegationTags {
  Tensor cue;    // [T, kNumCueClasses]
  Tensor scope;  // [T, T]  row t, column c: token t is in the scope of cue token c where above 0
};

}  // namespace notbad::model
