#pragma once

#include "core/tensor/matrix_view.h"

// As core/ops/matmul.h says of them, sizes checked, on any processor: by oneDNN's sgemm. It takes
// row distances as they are and beats the matmul primitive on attention's small strided products,
// which that primitive hands to the same kernel after its own overhead. Its first call takes some
// 20 ms to make the kernels of every size.
namespace notbad::ops::onednn {

void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c);

void matmul_transposed(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c);

}  // namespace notbad::ops::onednn
