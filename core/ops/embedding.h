#pragma once

#include <cstdint>
#include <span>

#include "core/tensor/matrix_view.h"
#include "core/tensor/weight_matrix.h"

namespace notbad::ops {

// A matrix of which single rows are read. Immutable; any thread.
class EmbeddingTable {
 public:
  explicit EmbeddingTable(const WeightMatrix& rows) : rows_(rows.owning()) {}  // [V, D]

  std::int64_t dim() const { return rows_.dim(1); }  // D

  // sum [D] += row `index`, which is in [0, V).
  void add_row(std::int64_t index, std::span<float> sum) const;

 private:
  WeightMatrix rows_;
};

// y [T, D]: row t = tokens[ids[t]] + positions[t]. Ids are in [0, V) and T is at most the number of
// positions; the caller has checked both.
void embed(std::span<const std::int32_t> ids, const EmbeddingTable& tokens,
           ConstMatrixView positions, MatrixView y);

}  // namespace notbad::ops
