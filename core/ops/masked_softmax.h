#pragma once

#include <optional>

#include "core/tensor/matrix_view.h"

namespace notbad::ops {

// Turns every row of `scores` [rows, Tk], in place, into weights that sum to 1. The row's maximum
// is subtracted first, so no score is too large. `mask` is [Tq, Tk], used again for every Tq rows
// of scores, so one mask serves all heads: where it is 0 the weight is exactly 0, and a row without
// any allowed key is all zeros, never NaN. Any thread.
void masked_softmax(MatrixView scores, std::optional<ConstMatrixView> mask);

}  // namespace notbad::ops
