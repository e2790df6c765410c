#include "core/ops/panel/panel_product.h"

#include <algorithm>
#include <array>

namespace notbad::ops::panel {

void multiply_panel(const PanelKernel& kernel, const TileFunction* tiles, ConstMatrixView x,
                    const void* panel, const float* bias, MatrixView y) {
  const bool is_whole = y.cols() == kernel.width;
  std::array<float, kMostRows * kMostWidth> whole;  // written by a tile that y has no room for
  // Tiles of nearly one height: a last one of a single row would wait for each of its sums.
  std::int64_t begin = 0;
  for (std::int64_t left = (x.rows() + kernel.max_rows - 1) / kernel.max_rows; left > 0; --left) {
    const std::int64_t rows = (x.rows() - begin) / left;
    float* const place = y.data() + begin * y.row_stride();
    tiles[rows - 1]({.x = x.data() + begin * x.row_stride(),
                     .x_stride = x.row_stride(),
                     .panel = panel,
                     .depth = x.cols(),
                     .bias = bias,
                     .y = is_whole ? place : whole.data(),
                     .y_stride = is_whole ? y.row_stride() : kernel.width});
    for (std::int64_t row = 0; row < rows && !is_whole; ++row) {
      std::copy_n(whole.data() + row * kernel.width, y.cols(), place + row * y.row_stride());
    }
    begin += rows;
  }
}

}  // namespace notbad::ops::panel
