#include "core/ops/panel/panel_matmul.h"

#include <algorithm>
#include <cstdint>

#include "core/ops/panel/panel_product.h"

namespace notbad::ops::panel {
namespace {

constexpr float kNoBias[kMostWidth] = {};

// `fill(panel, begin, cols)` writes columns of b from `begin` on to the first `cols` of [k, width].
template <class Fill>
void multiply(const PanelKernel& kernel, ConstMatrixView a, MatrixView c, Executor& executor,
              const Fill& fill) {
  const std::int64_t bytes = a.cols() * kernel.width * static_cast<std::int64_t>(sizeof(float));
  auto* const panel = reinterpret_cast<float*>(executor.staging(bytes));
  for (std::int64_t begin = 0; begin < c.cols(); begin += kernel.width) {
    const std::int64_t cols = std::min(kernel.width, c.cols() - begin);
    // Columns past the last are multiplied too: not with what lay there, which may be slow to.
    if (cols < kernel.width) std::fill_n(panel, a.cols() * kernel.width, 0.0F);
    fill(panel, begin, cols);
    multiply_panel(kernel, kernel.floats, a, panel, kNoBias, c.cols_from(begin, cols));
  }
}

}  // namespace

void matmul(const PanelKernel& kernel, ConstMatrixView a, ConstMatrixView b, MatrixView c,
            Executor& executor) {
  multiply(kernel, a, c, executor, [&](float* panel, std::int64_t begin, std::int64_t cols) {
    for (std::int64_t row = 0; row < b.rows(); ++row, panel += kernel.width) {
      std::copy_n(b.row(row).data() + begin, cols, panel);
    }
  });
}

void matmul_transposed(const PanelKernel& kernel, ConstMatrixView a, ConstMatrixView b, float scale,
                       MatrixView c, Executor& executor) {
  multiply(kernel, a, c, executor, [&](float* panel, std::int64_t begin, std::int64_t cols) {
    for (std::int64_t col = 0; col < cols; ++col) {
      const auto values = b.row(begin + col);
      float* to = panel + col;
      for (const float value : values) {
        *to = scale * value;
        to += kernel.width;
      }
    }
  });
}

}  // namespace notbad::ops::panel
