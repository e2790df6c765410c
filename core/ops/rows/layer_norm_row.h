#pragma once

#include <cstdint>

#include "core/ops/rows/lanes.h"
#include "core/ops/rows/row_kernel.h"

namespace notbad::ops::rows {
namespace {

// Enough that an addition need not wait for the one before.
constexpr std::int64_t kNormLanes = 4 * kLanes;

inline void layer_norm_row(const NormedRow& row) {
  const auto count = static_cast<float>(row.count);
  const float mean = sum_over<kNormLanes>(row.x, row.count, [](float x) { return x; }) / count;
  const float variance =
      sum_over<kNormLanes>(row.x, row.count, [&](float x) { return (x - mean) * (x - mean); }) /
      count;
  const float factor = 1.0F / __builtin_sqrtf(variance + row.epsilon);
  for (std::int64_t i = 0; i < row.count; ++i) {
    row.x[i] = (row.x[i] - mean) * factor * row.scale[i] + row.shift[i];
  }
}

}  // namespace
}  // namespace notbad::ops::rows
