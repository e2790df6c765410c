#pragma once

#include <cstdint>
#include <limits>

#include "core/ops/rows/lanes.h"

namespace notbad::ops::rows {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr float kLog2OfE = 1.44269504F;
constexpr float kLn2High = 0.693359375F;  // 9 bits: its products with n are exact
constexpr float kLn2Low = -2.12194440e-4F;
constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer
constexpr std::uint32_t kOne = 0x3F80'0000U;
constexpr std::uint32_t kFractionBits = 23;
// Bits of negative floats grow as these fall.
constexpr auto kSmallestBits = __builtin_bit_cast(std::uint32_t, -87.0F);

// exp(r), from the highest power down.
constexpr float kSeries[] = {1.0F / 5040.0F, 1.0F / 720.0F, 1.0F / 120.0F, 1.0F / 24.0F,
                             1.0F / 6.0F,    0.5F,          1.0F,          1.0F};

inline std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }
inline float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

// exp(x) for x <= 0, 0 below the normal floats: x = n ln 2 + r with |r| <= ln 2 / 2 after Cody and
// Waite, "Software Manual for the Elementary Functions", 1980, and the series of exp(r) to r^7,
// whose rest is below 2^-27. Within 2 units in the last place.
inline float exp_of_negative(float x) {
  // All choices are made of integers: one of floats becomes a branch, which keeps the compiler from
  // taking many values at once.
  const std::uint32_t bits = bits_of(x);
  const float bounded = float_of(bits < kSmallestBits ? bits : kSmallestBits);
  const float shifted = bounded * kLog2OfE + kRounder;
  const float n = shifted - kRounder;
  const float r = (bounded - n * kLn2High) - n * kLn2Low;
  float series = 0.0F;
  for (const float coefficient : kSeries) series = series * r + coefficient;
  // The low bits of `shifted` are n, which the exponent of 1 is moved by.
  const float power = float_of((bits_of(shifted) << kFractionBits) + kOne);
  const std::uint32_t kept = 0U - static_cast<std::uint32_t>(bits < kSmallestBits);
  return float_of(bits_of(series * power) & kept);
}

inline float larger(float a, float b) { return a > b ? a : b; }

inline float largest_of(const float* scores, std::int64_t count) {
  float largest[kLanes];
  for (float& lane : largest) lane = -kInfinity;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      largest[lane] = larger(scores[i + lane], largest[lane]);
    }
  }
  for (; i < count; ++i) largest[0] = larger(scores[i], largest[0]);
  return joined(largest, larger);
}

inline void softmax_row(float* scores, std::int64_t count) {
  const float largest = largest_of(scores, count);
  if (largest == -kInfinity) {
    for (std::int64_t i = 0; i < count; ++i) scores[i] = 0.0F;
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) scores[i] = exp_of_negative(scores[i] - largest);
  const float scale = 1.0F / sum_over<kLanes>(scores, count, [](float power) { return power; });
  for (std::int64_t i = 0; i < count; ++i) scores[i] *= scale;
}

}  // namespace
}  // namespace notbad::ops::rows
