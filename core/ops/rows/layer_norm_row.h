#pragma once

#include <cstdint>

#include "core/ops/rows/lanes.h"
#include "core/ops/rows/row_kernel.h"

namespace notbad::ops::rows {
namespace {

// The sum of `of(x)` over a row. Lanes enough that an addition need not wait for the one before.
template <class Of>
inline float sum_over(const float* x, std::int64_t count, const Of& of) {
  constexpr std::int64_t kManyLanes = 4 * kLanes;
  float sums[kManyLanes] = {};
  std::int64_t i = 0;
  for (; i + kManyLanes <= count; i += kManyLanes) {
    for (std::int64_t lane = 0; lane < kManyLanes; ++lane) sums[lane] += of(x[i + lane]);
  }
  for (std::int64_t lane = 0; i < count; ++i, ++lane) sums[lane] += of(x[i]);
  return joined(sums, sum);
}

inline void layer_norm_row(const NormedRow& row) {
  const auto count = static_cast<float>(row.count);
  const float mean = sum_over(row.x, row.count, [](float x) { return x; }) / count;
  const float variance =
      sum_over(row.x, row.count, [&](float x) { return (x - mean) * (x - mean); }) / count;
  const float factor = 1.0F / __builtin_sqrtf(variance + row.epsilon);
  for (std::int64_t i = 0; i < row.count; ++i) {
    row.x[i] = (row.x[i] - mean) * factor * row.scale[i] + row.shift[i];
  }
}

}  // namespace
}  // namespace notbad::ops::rows
