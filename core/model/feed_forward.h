#pragma once

#include <cstdint>

#include "core/model/linear_weights.h"
#include "core/model/workspace.h"
#include "core/ops/linear.h"
#include "core/tensor/matrix_view.h"

namespace notbad::model {

// down(gelu(up(x))), row by row. Immutable; any number of threads, each with its own workspace.
class FeedForward {
 public:
  // `up` is [F, D], `down` is [D, F].
  FeedForward(const LinearWeights& up, const LinearWeights& down,
              ops::Dtype dtype = ops::Dtype::kF32);

  void prepare_rows(std::int64_t rows, Workspace& workspace) const;

  // x [ΣT, D] -> [ΣT, D], in the workspace until the next layer runs.
  MatrixView forward(ConstMatrixView x, Workspace& workspace) const;

 private:
  ops::Linear up_;    // [D, F], GELU inside
  ops::Linear down_;  // [F, D]
};

}  // namespace notbad::model
