#pragma once

#include <cstdint>
#include <memory>

#include "core/ops/linear_kernel.h"

namespace notbad::ops::amx {

// How many BF16 numbers stand for an input.
enum class InputParts : std::uint8_t {
  kRounded = 1,  // the nearest one
  kExact = 3     // all of a float
};

// In BF16 with sums in float32. `weight` must be BF16, and the processor have AMX.
std::unique_ptr<const LinearKernel> make_bf16_linear(const WeightMatrix& weight, const Tensor& bias,
                                                     Activation activation, InputParts parts);

// As onednn::make_int8_linear(), with the same results to the last bit of every sum. The processor
// must have AMX.
std::unique_ptr<const LinearKernel> make_int8_linear(const Tensor& weight, const Tensor& bias,
                                                     Activation activation, InputBits input_bits);

}  // namespace notbad::ops::amx
