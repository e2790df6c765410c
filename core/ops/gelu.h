#pragma once

#include <cstdint>

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"

namespace notbad::ops {

// Makes the primitives for [rows, cols] values, so that gelu_in_place() of as many makes none.
void prepare_gelu(std::int64_t rows, std::int64_t cols, Executor& executor);

// x = x Φ(x) with Φ by erf, as Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016, define
// it. Without gaps between rows.
void gelu_in_place(MatrixView x, Executor& executor);

}  // namespace notbad::ops
