#pragma once

#include <cstdint>
#include <variant>

namespace notbad::model {

// Experiments inside the forward pass: what the answer would be if a head did something else. All
// indices count from 0, tokens with the special ones.

// The head's context is zero before the output projection.
struct HeadOff {
  std::int64_t layer = 0;
  std::int64_t head = 0;
};

// The head attends to every token it may see equally.
struct HeadUniform {
  std::int64_t layer = 0;
  std::int64_t head = 0;
};

// One weight is zero after the softmax; the rest of its row grows back to 1 only on request.
struct CutLink {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  std::int64_t from = 0;  // the row, a token that looks
  std::int64_t to = 0;    // the column, a token looked at
  bool renormalise = false;
};

using Intervention = std::variant<HeadOff, HeadUniform, CutLink>;

}  // namespace notbad::model
