#pragma once

#include <cstdint>
#include <memory>

#include "core/ops/dtype.h"
#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"
#include "core/tensor/weight_matrix.h"

namespace notbad::ops {

class LinearKernel;

enum class Activation { kNone, kGeluErf };

// y = activation(x Wᵀ + b), floats in and out.
// Immutable: the weights are packed once, in one layout that serves any number of rows, and may be
// used by any number of threads, each with its own executor.
class Linear {
 public:
  // `weight` is [out, in] as checkpoints store it, `bias` is [out]; both are copied. The weights
  // take as many bytes as in `weight` where the processor has AVX2, else four; in kBf16 two, in
  // kInt8 one. `dtype` must be supported.
  Linear(const WeightMatrix& weight, const Tensor& bias, Activation activation = Activation::kNone,
         Dtype dtype = Dtype::kF32, InputBits input_bits = InputBits::k8);
  ~Linear();
  Linear(Linear&&) noexcept;
  Linear& operator=(Linear&&) noexcept;

  // Makes the primitives for `rows` rows, so that forward() with as many makes none.
  void prepare(std::int64_t rows, Executor& executor) const;

  // x [rows, in] -> y [rows, out], both without gaps between rows.
  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const;

  std::int64_t in_features() const { return in_features_; }
  std::int64_t out_features() const { return out_features_; }

 private:
  std::int64_t in_features_;
  std::int64_t out_features_;
  std::unique_ptr<const LinearKernel> kernel_;
};

}  // namespace notbad::ops
