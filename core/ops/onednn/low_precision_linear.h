#pragma once

#include <memory>

#include "core/ops/linear_kernel.h"

namespace notbad::ops::onednn {

// Inputs and weights rounded to BF16, sums in float32. Needs is_supported(Dtype::kBf16).
std::unique_ptr<const LinearKernel> make_bf16_linear(const Tensor& weight, const Tensor& bias,
                                                     Activation activation);

// Weights of 8 bits with a scale for each output, inputs with scale and offset for each row, found
// as it comes; sums are exact. After Dettmers et al., "LLM.int8()", 2022, section 2.1.
// Needs is_supported(Dtype::kInt8).
std::unique_ptr<const LinearKernel> make_int8_linear(const Tensor& weight, const Tensor& bias,
                                                     Activation activation, InputBits input_bits);

}  // namespace notbad::ops::onednn
