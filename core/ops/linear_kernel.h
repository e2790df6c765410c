#pragma once

#include <cstdint>

#include "core/ops/executor.h"
#include "core/ops/linear.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::ops {

// One way to compute a linear layer, with the weights as it wants them. What Linear says of its
// functions, sizes checked, is true of these.
class LinearKernel {
 public:
  LinearKernel() = default;
  virtual ~LinearKernel() = default;
  LinearKernel(const LinearKernel&) = delete;
  LinearKernel& operator=(const LinearKernel&) = delete;

  virtual void prepare(std::int64_t rows, Executor& executor) const = 0;
  virtual void forward(ConstMatrixView x, MatrixView y, Executor& executor) const = 0;
};

}  // namespace notbad::ops
