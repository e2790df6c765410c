#pragma once

#include <cstdint>

#include "core/ops/rows/lanes.h"

// Included where multiplying and adding is one instruction.

namespace notbad::ops::rows {
namespace {

// Where the tail below is 0 as far as floats beside it can tell.
constexpr float kTailEnd = 5.75F;
constexpr auto kTailEndBits = __builtin_bit_cast(std::uint32_t, kTailEnd);
constexpr std::uint32_t kSignBit = 0x8000'0000U;

// (1 - Φ(a)) / (1 - u) with u = 2 a / kTailEnd - 1, from the highest power of u down: fitted by
// Lawson's algorithm for the least largest error of `a` times it.
constexpr float kTailSeries[] = {-0.00526288757F, 0.00703548733F, 0.0217135865F,  -0.0407189764F,
                                 -0.0215847362F,  0.0954320058F,  -0.0500958189F, -0.0830974877F,
                                 0.147563159F,    -0.0665676296F, -0.0765049085F, 0.151250377F,
                                 -0.12445391F,    0.0596472695F,  -0.0163746886F, 0.00202013575F};

// x Φ(x) = max(x, 0) - |x| (1 - Φ(|x|)), within 1e-7 before its own rounding.
inline float gelu(float x) {
  // Choices are made of integers, as for softmax.
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x) & ~kSignBit;
  const auto magnitude = __builtin_bit_cast(float, bits);
  const auto a = __builtin_bit_cast(float, bits < kTailEndBits ? bits : kTailEndBits);
  const float u = __builtin_fmaf(a, 2.0F / kTailEnd, -1.0F);
  float series = 0.0F;
  for (const float coefficient : kTailSeries) series = __builtin_fmaf(series, u, coefficient);
  const float tail = a * (1.0F - u) * series;
  return __builtin_fmaf(x + magnitude, 0.5F, -tail);
}

inline void gelu_row(float* x, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) x[i] = gelu(x[i]);
}

}  // namespace
}  // namespace notbad::ops::rows
