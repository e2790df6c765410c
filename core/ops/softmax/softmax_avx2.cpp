#include "core/ops/softmax/softmax_kernel.h"
#include "core/ops/softmax/softmax_row.h"

// Compiled for AVX2; called only where the processor has it.

namespace notbad::ops::softmax {

void avx2_row(float* scores, std::int64_t count) { softmax_row(scores, count); }

}  // namespace notbad::ops::softmax
