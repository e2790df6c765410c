#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace notbad::ops {

// The number of rows that a packed batch of `rows` is computed with: exact up to 32, then sixteen
// steps from one power of two to the next. At most 1/16 of the work is spent on rows that nobody
// reads, and few primitives serve every batch.
constexpr std::int64_t row_bucket(std::int64_t rows) {
  const auto octave = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(rows)));
  const std::int64_t step = std::max<std::int64_t>(1, octave / 16);
  return (rows + step - 1) / step * step;
}

}  // namespace notbad::ops
