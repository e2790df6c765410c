#include "core/ops/rows/gelu_row.h"
#include "core/ops/rows/layer_norm_row.h"
#include "core/ops/rows/row_kernel.h"
#include "core/ops/rows/softmax_row.h"

// Compiled for AVX2; called only where the processor has it.

namespace notbad::ops::rows {

const RowKernel& avx2_rows() {
  static constexpr RowKernel kKernel{
      .softmax = softmax_row, .layer_norm = layer_norm_row, .gelu = gelu_row};
  return kKernel;
}

}  // namespace notbad::ops::rows
