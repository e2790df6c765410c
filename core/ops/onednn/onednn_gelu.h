#pragma once

#include <cstdint>

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"

// As core/ops/gelu.h says of them, sizes checked, on any processor.
namespace notbad::ops::onednn {

void prepare_gelu(std::int64_t rows, std::int64_t cols, Executor& executor);

void gelu_in_place(MatrixView x, Executor& executor);

}  // namespace notbad::ops::onednn
