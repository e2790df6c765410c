#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::ops {

// A matrix of which single rows are read. Its values take two bytes each where all of them are BF16
// values, else four. Immutable; any thread.
class EmbeddingTable {
 public:
  explicit EmbeddingTable(Tensor rows);  // [V, D]

  std::int64_t dim() const { return dim_; }  // D

  // sum [D] += row `index`, which is in [0, V).
  void add_row(std::int64_t index, std::span<float> sum) const;

 private:
  std::int64_t num_rows_;
  std::int64_t dim_;
  std::vector<std::uint16_t> bf16_;  // [V, D], empty where floats_ holds them
  Tensor floats_;
};

// y [T, D]: row t = tokens[ids[t]] + positions[t]. Ids are in [0, V) and T is at most the number of
// positions; the caller has checked both.
void embed(std::span<const std::int32_t> ids, const EmbeddingTable& tokens,
           ConstMatrixView positions, MatrixView y);

}  // namespace notbad::ops
