#pragma once

#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::ops {

// Every row to mean 0 and variance 1, then times `scale` plus `shift`, feature by feature.
// Immutable, shared by any number of threads.
class LayerNorm {
 public:
  // `scale` and `shift` are [D]; `epsilon` is added to the variance, not to its root.
  LayerNorm(Tensor scale, Tensor shift, float epsilon);

  // x [rows, D] is normalised in place; its rows may lie apart.
  void forward(MatrixView x) const;

 private:
  Tensor scale_;  // [D]
  Tensor shift_;  // [D]
  float epsilon_;
};

}  // namespace notbad::ops
