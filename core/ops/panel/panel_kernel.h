#pragma once

#include <cstdint>

// Products of a few rows, as one sentence has them, wait for the weights more than for arithmetic.
// Here a matrix is stored in panels of neighbouring outputs, in BF16 where that loses nothing, and
// multiplied in float32: half the bytes of a float32 matrix, and to the last bit the same numbers.
// One layout serves every number of rows, and a row's sums do not depend on its batch.

namespace notbad::ops::panel {

// One tile: some rows of x, as many as the function is for, times one panel.
struct Tile {
  const float* x;  // [rows, depth]
  std::int64_t x_stride;
  const void* panel;  // [depth, width], as PanelKernel says
  std::int64_t depth;
  const float* bias;  // [width]
  float* y;           // [rows, width]
  std::int64_t y_stride;
};

// Of any kernel's tile.
constexpr int kMostRows = 12;
constexpr int kMostWidth = 32;

using TileFunction = void (*)(const Tile&);

// What one instruction set offers. A panel holds `width` outputs of every input: as floats, or as
// BF16, outputs j and j + width / 2 side by side, so that one shift or mask gives floats.
struct PanelKernel {
  const char* bf16_name;  // as shown to users
  const char* f32_name;
  std::int64_t width;
  std::int64_t max_rows;       // of a tile
  const TileFunction* bf16;    // [max_rows], for 1 row, 2 rows, ...
  const TileFunction* floats;  // likewise
};

const PanelKernel& avx2_panel_kernel();
const PanelKernel& avx512_panel_kernel();

}  // namespace notbad::ops::panel
