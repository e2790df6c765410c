#pragma once

#include <cstdint>

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"

namespace notbad::ops::onednn {

void prepare_softmax(std::int64_t rows, std::int64_t cols, Executor& executor);

// Every row of x in place. What becomes of -inf is the kernel's affair.
void softmax(MatrixView x, Executor& executor);

}  // namespace notbad::ops::onednn
