#include "core/ops/rows/layer_norm_row.h"
#include "core/ops/rows/row_kernel.h"
#include "core/ops/rows/softmax_row.h"

// For every processor.

namespace notbad::ops::rows {

const RowKernel& baseline_rows() {
  static constexpr RowKernel kKernel{
      .softmax = softmax_row, .layer_norm = layer_norm_row, .gelu = nullptr};
  return kKernel;
}

}  // namespace notbad::ops::rows
