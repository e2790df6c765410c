#pragma once

#include <cstdint>
#include <optional>

#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"

namespace notbad::ops {

// Makes the primitive for one shape of scores, so that masked_softmax() with it makes none.
void prepare_masked_softmax(std::int64_t rows, std::int64_t cols, Executor& executor);

// Turns every row of `scores` [rows, Tk], in place and without gaps between rows, into weights that
// sum to 1. The row's maximum is subtracted first, so no score is too large.
// `mask` is [Tq, Tk], used again for every Tq rows of scores, so one mask serves all heads: where
// it is 0 the weight is exactly 0, and a row without any allowed key is all zeros, never NaN.
void masked_softmax(MatrixView scores, std::optional<ConstMatrixView> mask, Executor& executor);

}  // namespace notbad::ops
