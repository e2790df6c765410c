#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/tensor/tensor.h"

namespace notbad::testing {

// Whether every value is within `tolerance` of the expected one, relative to the largest expected
// magnitude but at least absolute. Shows index, both values and tolerance of the worst.
inline ::testing::AssertionResult is_near(std::span<const float> found,
                                          std::span<const float> expected, float tolerance) {
  if (found.size() != expected.size()) {
    return ::testing::AssertionFailure()
           << "found " << found.size() << " values, expected " << expected.size();
  }
  float scale = 1.0F;
  for (const float value : expected) scale = std::max(scale, std::abs(value));
  std::size_t worst = 0;
  float worst_error = 0.0F;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const float error = std::abs(found[i] - expected[i]);
    if (error <= worst_error) continue;  // false for NaN, which is the worst of all
    worst = i;
    worst_error = error;
    if (std::isnan(error)) break;
  }
  if (worst_error <= tolerance * scale) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "at index " << worst << " found " << found[worst] << ", expected " << expected[worst]
         << ", tolerance " << tolerance << " of " << scale;
}

inline ::testing::AssertionResult is_near(const Tensor& found, const Tensor& expected,
                                          float tolerance) {
  if (found.shape() != expected.shape()) {
    return ::testing::AssertionFailure() << "found shape " << found.shape().to_string()
                                         << ", expected " << expected.shape().to_string();
  }
  return is_near(found.values(), expected.values(), tolerance);
}

}  // namespace notbad::testing
