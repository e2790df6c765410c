#pragma once

#include "core/ops/executor.h"
#include "core/ops/panel/panel_kernel.h"
#include "core/tensor/matrix_view.h"

// As core/ops/matmul.h says of them, sizes checked: b is brought into panels, one after the other.
namespace notbad::ops::panel {

void matmul(const PanelKernel& kernel, ConstMatrixView a, ConstMatrixView b, MatrixView c,
            Executor& executor);

void matmul_transposed(const PanelKernel& kernel, ConstMatrixView a, ConstMatrixView b, float scale,
                       MatrixView c, Executor& executor);

}  // namespace notbad::ops::panel
