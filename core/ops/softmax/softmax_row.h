#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

// Included once by each instruction set's source: internal to it, so that the linker cannot give
// one set's code to another.

namespace notbad::ops::softmax {
namespace {

// Partial results that a loop goes round, each with every kLanes-th value: what a compiler needs to
// take many at once without changing the order of any sum.
constexpr std::int64_t kLanes = 16;

// exp(x) for x <= 0, 0 below the normal floats: x = n ln 2 + r with |r| <= ln 2 / 2 after Cody and
// Waite, "Software Manual for the Elementary Functions", 1980, and the series of exp(r) to r^7,
// whose rest is below 2^-27. Within 2 units in the last place.
inline float exp_of_negative(float x) {
  constexpr float kSmallest = -87.0F;
  constexpr float kLog2OfE = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;  // 9 bits: its products with n are exact
  constexpr float kLn2Low = -2.12194440e-4F;
  constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer
  constexpr std::uint32_t kOne = 0x3F80'0000U;
  constexpr std::uint32_t kFractionBits = 23;
  // Bits of negative floats grow as these fall. All choices are made of integers: one of floats
  // becomes a branch, which keeps the compiler from taking many values at once.
  const auto bits = std::bit_cast<std::uint32_t>(x);
  constexpr auto kSmallestBits = std::bit_cast<std::uint32_t>(kSmallest);
  const auto bounded = std::bit_cast<float>(std::min(bits, kSmallestBits));
  const float shifted = bounded * kLog2OfE + kRounder;
  const float n = shifted - kRounder;
  const float r = (bounded - n * kLn2High) - n * kLn2Low;
  float series = 1.0F / 5040.0F;
  series = series * r + 1.0F / 720.0F;
  series = series * r + 1.0F / 120.0F;
  series = series * r + 1.0F / 24.0F;
  series = series * r + 1.0F / 6.0F;
  series = series * r + 0.5F;
  series = series * r + 1.0F;
  series = series * r + 1.0F;
  // The low bits of `shifted` are n, which the exponent of 1 is moved by.
  const float power =
      std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) << kFractionBits) + kOne);
  const std::uint32_t kept = 0U - static_cast<std::uint32_t>(bits < kSmallestBits);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(series * power) & kept);
}

inline float largest_of(const float* scores, std::int64_t count) {
  std::array<float, kLanes> largest;
  largest.fill(-std::numeric_limits<float>::infinity());
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const float value = scores[i + lane];
      largest[lane] = value > largest[lane] ? value : largest[lane];
    }
  }
  for (; i < count; ++i) largest[0] = std::max(largest[0], scores[i]);
  return *std::max_element(largest.begin(), largest.end());
}

inline float sum_of(const float* values, std::int64_t count) {
  std::array<float, kLanes> sums{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += values[i + lane];
  }
  for (std::int64_t lane = 0; i < count; ++i, ++lane) sums[lane] += values[i];
  float sum = 0.0F;
  for (const float part : sums) sum += part;
  return sum;
}

inline void softmax_row(float* scores, std::int64_t count) {
  const float largest = largest_of(scores, count);
  if (largest == -std::numeric_limits<float>::infinity()) {
    std::fill_n(scores, count, 0.0F);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) scores[i] = exp_of_negative(scores[i] - largest);
  const float scale = 1.0F / sum_of(scores, count);
  for (std::int64_t i = 0; i < count; ++i) scores[i] *= scale;
}

}  // namespace
}  // namespace notbad::ops::softmax
