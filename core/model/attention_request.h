#pragma once

#include <cstdint>
#include <span>

#include "core/model/interventions.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

// Where the tokens of one sequence lie among the rows of a packed batch.
struct RowRange {
  std::int64_t begin = 0;
  std::int64_t length = 0;
};

// What one sequence asks of one attention layer. Everything is borrowed for the call.
struct AttentionRequest {
  RowRange queries;                              // Tq rows
  RowRange keys;                                 // Tk rows; those of the queries in self-attention
  const Tensor* mask = nullptr;                  // [Tq, Tk]; 0 forbids the link; null allows all
  std::int64_t layer = 0;                        // which interventions are meant for it
  std::span<const Intervention> interventions;   // those of other layers are passed over
  std::span<const std::int64_t> captured_heads;  // whose weights are handed back, in this order
};

}  // namespace notbad::model
