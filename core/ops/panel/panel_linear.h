#pragma once

#include <memory>
#include <vector>

#include "core/ops/linear_kernel.h"
#include "core/ops/panel/panel_kernel.h"

namespace notbad::ops::panel {

// Those that this processor has, within what ONEDNN_MAX_CPU_ISA allows, the fastest last: none
// where it has neither AVX-512 nor AVX2 with FMA.
std::vector<const PanelKernel*> panel_kernels();

// In float32, whatever the weights are stored in: BF16 where each of them is one, or floats.
std::unique_ptr<const LinearKernel> make_panel_linear(const WeightMatrix& weight,
                                                      const Tensor& bias, Activation activation,
                                                      const PanelKernel& kernel);

}  // namespace notbad::ops::panel
