#include "core/ops/layer_norm.h"

#include <utility>

#include "core/base/check.h"
#include "core/ops/rows/row_kernel.h"

namespace notbad::ops {

LayerNorm::LayerNorm(Tensor scale, Tensor shift, float epsilon)
    : scale_(std::move(scale)), shift_(std::move(shift)), epsilon_(epsilon) {
  check(scale_.shape().rank() == 1 && scale_.shape() == shift_.shape(), [&] {
    return "LayerNorm: expected scale and shift [D], found " + scale_.shape().to_string() +
           " and " + shift_.shape().to_string();
  });
}

void LayerNorm::forward(MatrixView x) const {
  check(x.cols() == scale_.dim(0), [&] {
    return "LayerNorm: expected x [rows, " + std::to_string(scale_.dim(0)) + "], found " +
           x.shape().to_string();
  });
  const rows::RowKernel& kernel = rows::fastest_row_kernel();
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    kernel.layer_norm({.x = x.row(row).data(),
                       .scale = scale_.data(),
                       .shift = shift_.data(),
                       .epsilon = epsilon_,
                       .count = x.cols()});
  }
}

}  // namespace notbad::ops
