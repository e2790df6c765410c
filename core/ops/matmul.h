#pragma once

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"

namespace notbad::ops {

// Small products of views whose rows may lie apart, such as one head inside a packed projection.
// They need no primitive, hence no bucket: every size is as good. Any thread, each
// with its own executor.

// c [m, n] = a [m, k] · b [k, n]
void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c, Executor& executor);

// c [m, n] = scale · a [m, k] · bᵀ, with b [n, k]
void matmul_transposed(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c,
                       Executor& executor);

}  // namespace notbad::ops
