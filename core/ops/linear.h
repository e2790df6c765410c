#pragma once

#include <cstdint>
#include <memory>

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::ops {

struct PreparedPrimitive;

enum class Activation { kNone, kGeluErf };

// y = activation(x Wᵀ + b), one oneDNN primitive with bias and activation inside.
// Immutable: the weights are packed once, in one layout that serves any number of rows, and may be
// used by any number of threads, each with its own executor.
class Linear {
 public:
  // `weight` is [out, in] as checkpoints store it, `bias` is [out]; both are copied.
  Linear(const Tensor& weight, const Tensor& bias, Activation activation = Activation::kNone);
  ~Linear();
  Linear(Linear&&) noexcept;
  Linear& operator=(Linear&&) noexcept;

  // Makes the primitive for `rows` rows, so that forward() with as many makes none.
  void prepare(std::int64_t rows, Executor& executor) const;

  // x [rows, in] -> y [rows, out], both without gaps between rows.
  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const;

  std::int64_t in_features() const { return in_features_; }
  std::int64_t out_features() const { return out_features_; }

 private:
  struct Packed;

  PreparedPrimitive& prepared(std::int64_t rows, Executor& executor) const;

  std::int64_t in_features_;
  std::int64_t out_features_;
  Activation activation_;
  std::unique_ptr<const Packed> packed_;
};

}  // namespace notbad::ops
