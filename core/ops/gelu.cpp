#include "core/ops/gelu.h"

#include "core/base/check.h"
#include "core/ops/onednn/onednn_gelu.h"
#include "core/ops/rows/row_kernel.h"

namespace notbad::ops {

void prepare_gelu(std::int64_t rows, std::int64_t cols, Executor& executor) {
  if (rows::fastest_row_kernel().gelu != nullptr) return;
  onednn::prepare_gelu(rows, cols, executor);
}

void gelu_in_place(MatrixView x, Executor& executor) {
  check(x.is_contiguous(), "gelu_in_place: rows must not lie apart");
  if (x.rows() * x.cols() == 0) return;
  if (const auto gelu = rows::fastest_row_kernel().gelu; gelu != nullptr) {
    gelu(x.data(), x.rows() * x.cols());
  } else {
    onednn::gelu_in_place(x, executor);
  }
}

}  // namespace notbad::ops
