#include "core/ops/matmul.h"

#include "core/base/check.h"
#include "core/ops/onednn/onednn_matmul.h"
#include "core/ops/panel/panel_linear.h"
#include "core/ops/panel/panel_matmul.h"

namespace notbad::ops {
namespace {

void check_shapes(bool fit, ConstMatrixView a, ConstMatrixView b, ConstMatrixView c) {
  check(fit, [&] {
    return "matmul: found a " + a.shape().to_string() + ", b " + b.shape().to_string() + ", c " +
           c.shape().to_string();
  });
}

// Null where the processor has none.
const panel::PanelKernel* best_kernel() {
  static const panel::PanelKernel* const kBest = [] {
    const auto kernels = panel::panel_kernels();
    return kernels.empty() ? nullptr : kernels.back();
  }();
  return kBest;
}

}  // namespace

void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c, Executor& executor) {
  check_shapes(a.cols() == b.rows() && c.rows() == a.rows() && c.cols() == b.cols(), a, b, c);
  if (const auto* const kernel = best_kernel(); kernel != nullptr) {
    panel::matmul(*kernel, a, b, c, executor);
  } else {
    onednn::matmul(a, b, c);
  }
}

void matmul_transposed(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c,
                       Executor& executor) {
  check_shapes(a.cols() == b.cols() && c.rows() == a.rows() && c.cols() == b.rows(), a, b, c);
  if (const auto* const kernel = best_kernel(); kernel != nullptr) {
    panel::matmul_transposed(*kernel, a, b, scale, c, executor);
  } else {
    onednn::matmul_transposed(a, b, scale, c);
  }
}

}  // namespace notbad::ops
