#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ops/amx/amx_kernel.h"
#include "core/ops/linear_kernel.h"

namespace notbad::ops::amx {

// A linear layer whose products are made panel by panel, for a block of rows after the other.
class TiledLinear : public LinearKernel {
 public:
  void prepare(std::int64_t rows, Executor& executor) const final;
  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const final;

 protected:
  TiledLinear(std::int64_t in_features, std::int64_t out_features, Activation activation)
      : in_features_(in_features), out_features_(out_features), activation_(activation) {}

  // Panels from `first` on, whose outputs go to y [rows, count * 32].
  struct PanelRange {
    std::int64_t first;
    std::int64_t count;
    float* y;
    std::int64_t y_stride;
  };

  static std::int64_t round_up(std::int64_t value, std::int64_t step) {
    return (value + step - 1) / step * step;
  }

  std::int64_t in_features() const { return in_features_; }

 private:
  virtual const char* kernel_name() const = 0;

  // What load_inputs() needs for a block of so many rows; whole cache lines.
  virtual std::int64_t input_bytes(std::int64_t rows) const = 0;

  // `inputs` becomes what multiply_panels() wants of the block's rows.
  virtual void load_inputs(ConstMatrixView x, std::byte* inputs) const = 0;
  virtual void multiply_panels(const std::byte* inputs, std::int64_t rows,
                               const PanelRange& range) const = 0;

  // What is to be done to the sums before the activation.
  virtual void finish([[maybe_unused]] ConstMatrixView x, [[maybe_unused]] MatrixView y) const {}

  bool is_last_panel_whole() const { return out_features_ % kPanelOutputs == 0; }
  std::int64_t staging_bytes(std::int64_t rows) const;
  void multiply_block(ConstMatrixView x, MatrixView y, Executor& executor) const;

  std::int64_t in_features_;
  std::int64_t out_features_;
  Activation activation_;
};

}  // namespace notbad::ops::amx
