#include "core/ops/int8/row_scaling.h"

#include <immintrin.h>

namespace notbad::ops::int8 {
namespace {

constexpr std::int64_t kLanes = 16;
constexpr float kLargestWeight = 127.0F;
constexpr float kLargestInput = 255.0F;

// Of the last lanes, those that are there.
__mmask16 lanes_left(std::int64_t count) {
  return static_cast<__mmask16>(count >= kLanes ? 0xFFFFU
                                                : (1U << static_cast<unsigned>(count)) - 1U);
}

struct Range {
  float least;
  float largest;
};

// Of at least one value. A NaN becomes both ends.
Range range_of(const float* x, std::int64_t count) {
  __m512 least = _mm512_set1_ps(x[0]);
  __m512 largest = least;
  __mmask16 unordered = 0;
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const __m512 values = _mm512_mask_loadu_ps(largest, lanes_left(count - i), x + i);
    unordered |= _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
    least = _mm512_maskz_min_ps(0xFFFF, least, values);
    largest = _mm512_maskz_max_ps(0xFFFF, largest, values);
  }
  // No std::array: what it brings along would be compiled for AVX-512 here.
  float lows[kLanes];
  float highs[kLanes];
  _mm512_storeu_ps(lows, least);
  _mm512_storeu_ps(highs, largest);
  Range range{lows[0], highs[0]};
  for (std::int64_t lane = 1; lane < kLanes; ++lane) {
    if (lows[lane] < range.least) range.least = lows[lane];
    if (highs[lane] > range.largest) range.largest = highs[lane];
  }
  if (unordered != 0) range.least = range.largest = __builtin_nanf("");
  return range;
}

// Where all values are one, any factor does: they become 0.
float inverse(float scale) { return scale > 0.0F ? 1.0F / scale : 0.0F; }

}  // namespace

float quantize_weights(const float* x, std::int64_t count, float limit, std::int8_t* q) {
  const auto [least, largest] = range_of(x, count);
  const float farthest = -least > largest ? -least : largest;
  const float scale = (farthest > limit ? limit : farthest) / kLargestWeight;
  const __m512 most = _mm512_set1_ps(kLargestWeight);
  const __m512 factor = _mm512_set1_ps(inverse(scale));
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = lanes_left(count - i);
    const __m512 exact = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, x + i), factor);
    const __m512 values = _mm512_maskz_max_ps(0xFFFF, _mm512_sub_ps(_mm512_setzero_ps(), most),
                                              _mm512_maskz_min_ps(0xFFFF, most, exact));
    _mm512_mask_cvtsepi32_storeu_epi8(q + i, lanes, _mm512_maskz_cvtps_epi32(0xFFFF, values));
  }
  return scale;
}

RowScaling quantize_inputs(const float* x, std::int64_t count, const RowBytes& q) {
  const auto [least, largest] = range_of(x, count);
  const RowScaling row{(largest - least) / kLargestInput, least};
  const __m512 factor = _mm512_set1_ps(inverse(row.scale));
  const __m512 offset = _mm512_set1_ps(row.offset);
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = lanes_left(count - i);
    const __m512 above = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, x + i), offset);
    const __m512 steps = _mm512_mul_ps(above, factor);
    const __m512i rounded = _mm512_maskz_cvtps_epi32(0xFFFF, steps);
    _mm512_mask_cvtusepi32_storeu_epi8(q.first + i, lanes, rounded);
    if (q.second == nullptr) continue;
    const __m512 rest = _mm512_sub_ps(steps, _mm512_maskz_cvtepi32_ps(0xFFFF, rounded));
    const __m512 half_up = _mm512_add_ps(rest, _mm512_set1_ps(0.5F));
    const __m512 finer = _mm512_mul_ps(half_up, _mm512_set1_ps(kLargestInput));
    _mm512_mask_cvtusepi32_storeu_epi8(q.second + i, lanes,
                                       _mm512_maskz_cvtps_epi32(0xFFFF, finer));
  }
  return row;
}

void rescale(const RowSums& sums, std::int64_t count, RowScaling row, const OutputScaling& output,
             float* y) {
  const bool is_fine = sums.second != nullptr;
  const __m512 scale = _mm512_set1_ps(row.scale);
  const __m512 offset = _mm512_set1_ps(is_fine ? row.offset - 0.5F * row.scale : row.offset);
  const __m512 finer = _mm512_set1_ps(1.0F / kLargestInput);
  for (std::int64_t i = 0; i < count; i += kLanes) {
    const __mmask16 lanes = lanes_left(count - i);
    const auto load = [&](const float* from) { return _mm512_maskz_loadu_ps(lanes, from + i); };
    __m512 sum = load(sums.first);
    if (is_fine) sum = _mm512_fmadd_ps(load(sums.second), finer, sum);
    const __m512 constant = _mm512_fmadd_ps(offset, load(output.weight_sum), load(output.bias));
    const __m512 factor = _mm512_mul_ps(scale, load(output.scale));
    _mm512_mask_storeu_ps(y + i, lanes, _mm512_fmadd_ps(sum, factor, constant));
  }
}

}  // namespace notbad::ops::int8
