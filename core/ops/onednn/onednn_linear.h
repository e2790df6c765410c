#pragma once

#include <memory>

#include "core/ops/linear_kernel.h"

namespace notbad::ops::onednn {

// In float32 by one oneDNN primitive with bias and activation inside, on any processor.
std::unique_ptr<const LinearKernel> make_linear(const Tensor& weight, const Tensor& bias,
                                                Activation activation);

}  // namespace notbad::ops::onednn
