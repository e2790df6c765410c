#pragma once

#include <span>

#include "core/tensor/matrix_view.h"

namespace notbad::ops {

// x += y, the residual connection. Same shape, without gaps between rows.
void add_in_place(MatrixView x, ConstMatrixView y);

// mean [D] over the rows of x [T, D], T > 0.
void mean_over_rows(ConstMatrixView x, std::span<float> mean);

}  // namespace notbad::ops
