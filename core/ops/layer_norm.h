#pragma once

#include <cstdint>

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::ops {

// Every row to mean 0 and variance 1, then times `scale` plus `shift`, feature by feature.
// Immutable, shared by any number of threads, each with its own executor.
class LayerNorm {
 public:
  // `scale` and `shift` are [D]; `epsilon` is added to the variance, not to its root.
  LayerNorm(Tensor scale, Tensor shift, float epsilon);

  void prepare(std::int64_t rows, Executor& executor) const;

  // x [rows, D] is normalised in place, without gaps between rows.
  void forward(MatrixView x, Executor& executor) const;

 private:
  Tensor scale_;  // [D]
  Tensor shift_;  // [D]
  float epsilon_;
};

}  // namespace notbad::ops
