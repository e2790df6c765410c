#include "core/ops/rows/row_kernel.h"

#include "core/ops/processor.h"

namespace notbad::ops::rows {

std::vector<const RowKernel*> row_kernels() {
  std::vector<const RowKernel*> kernels = {&baseline_rows()};
#ifdef NOTBAD_X86_KERNELS
  if (processor_has(Instructions::kAvx2)) kernels.push_back(&avx2_rows());
  if (processor_has(Instructions::kAvx512)) kernels.push_back(&avx512_rows());
#endif
  return kernels;
}

const RowKernel& fastest_row_kernel() {
  static const RowKernel* const kFastest = row_kernels().back();
  return *kFastest;
}

}  // namespace notbad::ops::rows
