#pragma once

#include "core/ops/panel/panel_kernel.h"
#include "core/tensor/matrix_view.h"

namespace notbad::ops::panel {

// y [rows, outputs] = x [rows, depth] times one panel plus `bias` [width], of which y takes the
// first outputs, up to the panel's width. `tiles`: those of `kernel` for what the panel is stored
// in. Rows of x and y may lie apart.
void multiply_panel(const PanelKernel& kernel, const TileFunction* tiles, ConstMatrixView x,
                    const void* panel, const float* bias, MatrixView y);

}  // namespace notbad::ops::panel
