#include "core/ops/softmax/softmax_kernel.h"

#include "core/ops/processor.h"

namespace notbad::ops::softmax {

std::vector<RowFunction> row_functions() {
  std::vector<RowFunction> functions = {baseline_row};
#ifdef NOTBAD_X86_KERNELS
  if (processor_has(Instructions::kAvx2)) functions.push_back(avx2_row);
  if (processor_has(Instructions::kAvx512)) functions.push_back(avx512_row);
#endif
  return functions;
}

}  // namespace notbad::ops::softmax
