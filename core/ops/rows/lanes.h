#pragma once

#include <cstdint>

// Included by each instruction set's source, and internal to it; so is what includes this. No
// function of the standard library: where one is not inlined, the linker keeps one copy for the
// whole program, and that may be the one of a set that the processor does not have.

namespace notbad::ops::rows {
namespace {

// Partial results that a loop goes round, each with every kLanes-th value, and that meet pair by
// pair at the end: what it takes to have many at once without changing the order of any sum.
constexpr std::int64_t kLanes = 16;

// The result of `join` over a power of two of lanes, which are lost.
template <std::int64_t kCount, class Join>
inline float joined(float (&lanes)[kCount], const Join& join) {
  for (std::int64_t half = kCount / 2; half > 0; half /= 2) {
    for (std::int64_t lane = 0; lane < half; ++lane)
      lanes[lane] = join(lanes[lane], lanes[lane + half]);
  }
  return lanes[0];
}

// The sum of `of(x)` over a row.
template <std::int64_t kCount, class Of>
inline float sum_over(const float* x, std::int64_t count, const Of& of) {
  float sums[kCount] = {};
  std::int64_t i = 0;
  for (; i + kCount <= count; i += kCount) {
    for (std::int64_t lane = 0; lane < kCount; ++lane) sums[lane] += of(x[i + lane]);
  }
  for (std::int64_t lane = 0; i < count; ++i, ++lane) sums[lane] += of(x[i]);
  return joined(sums, [](float a, float b) { return a + b; });
}

}  // namespace
}  // namespace notbad::ops::rows
