#include "core/ops/int8/row_scaling.h"

#include <immintrin.h>

namespace notbad::ops::int8 {
namespace {

constexpr std::int64_t kLanes = 16;
constexpr __mmask16 kAll = 0xFFFF;
constexpr __mmask32 kAllWords = 0xFFFFFFFF;
constexpr __mmask64 kAllBytes = 0xFFFFFFFFFFFFFFFF;
constexpr float kLargestWeight = 127.0F;
constexpr float kLargestInput = 255.0F;

// Rows of sums for which the scales of 16 outputs stay in registers.
constexpr std::int64_t kRowsTogether = 16;

// Of the last lanes, those that are there.
__mmask16 lanes_left(std::int64_t count) {
  return static_cast<__mmask16>(count >= kLanes ? 0xFFFFU
                                                : (1U << static_cast<unsigned>(count)) - 1U);
}

// By halves: each time the upper lanes come down on the lower.
float least_lane(__m512 x) {
  x = _mm512_maskz_min_ps(kAll, x, _mm512_maskz_shuffle_f32x4(kAll, x, x, 0b01'00'11'10));
  x = _mm512_maskz_min_ps(kAll, x, _mm512_maskz_shuffle_f32x4(kAll, x, x, 0b10'11'00'01));
  x = _mm512_maskz_min_ps(kAll, x, _mm512_maskz_shuffle_ps(kAll, x, x, 0b01'00'11'10));
  x = _mm512_maskz_min_ps(kAll, x, _mm512_maskz_shuffle_ps(kAll, x, x, 0b10'11'00'01));
  return _mm512_cvtss_f32(x);
}

struct Range {
  float least;
  float largest;
};

// Of at least one value. A NaN becomes both ends. Two of everything, so that no minimum waits for
// the last one, and one comparison tells of both.
Range range_of(const float* x, std::int64_t count) {
  __m512 least[2];
  __m512 largest[2];
  least[0] = least[1] = largest[0] = largest[1] = _mm512_set1_ps(x[0]);
  __mmask16 unordered = 0;
  const auto take = [&](__m512 one, __m512 other) {
    unordered = _kor_mask16(unordered, _mm512_cmp_ps_mask(one, other, _CMP_UNORD_Q));
    least[0] = _mm512_maskz_min_ps(kAll, least[0], one);
    largest[0] = _mm512_maskz_max_ps(kAll, largest[0], one);
    least[1] = _mm512_maskz_min_ps(kAll, least[1], other);
    largest[1] = _mm512_maskz_max_ps(kAll, largest[1], other);
  };
  std::int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    take(_mm512_loadu_ps(x + i), _mm512_loadu_ps(x + i + kLanes));
  }
  for (; i < count; i += kLanes) {
    const __m512 values = _mm512_mask_loadu_ps(largest[0], lanes_left(count - i), x + i);
    take(values, values);
  }
  if (unordered != 0) return {__builtin_nanf(""), __builtin_nanf("")};
  return {least_lane(_mm512_maskz_min_ps(kAll, least[0], least[1])),
          -least_lane(_mm512_sub_ps(_mm512_setzero_ps(),
                                    _mm512_maskz_max_ps(kAll, largest[0], largest[1])))};
}

// Where all values are one, any factor does: they become 0.
float inverse(float scale) { return scale > 0.0F ? 1.0F / scale : 0.0F; }

// 16 values as steps of the scale above the offset, rounded; what that leaves, within half a step,
// in 255 steps of its own.
struct QuantizedLanes {
  __m512i first;
  __m512i second;
};

class Quantizer {
 public:
  explicit Quantizer(RowScaling row)
      : offset_(_mm512_set1_ps(row.offset)), factor_(_mm512_set1_ps(inverse(row.scale))) {}

  QuantizedLanes operator()(__m512 values) const {
    const __m512 steps = _mm512_mul_ps(_mm512_sub_ps(values, offset_), factor_);
    const __m512i rounded = _mm512_maskz_cvtps_epi32(kAll, steps);
    const __m512 rest = _mm512_sub_ps(steps, _mm512_maskz_cvtepi32_ps(kAll, rounded));
    const __m512 half_up = _mm512_add_ps(rest, _mm512_set1_ps(0.5F));
    const __m512 finer = _mm512_mul_ps(half_up, _mm512_set1_ps(kLargestInput));
    return {rounded, _mm512_maskz_cvtps_epi32(kAll, finer)};
  }

 private:
  __m512 offset_;
  __m512 factor_;
};

// 64 numbers from 0 to 255, 16 in each of four, as bytes in their order.
void store_bytes(const __m512i (&numbers)[4], std::uint8_t* to) {
  // Packing goes by quarters of a register: four numbers of each lie together, each in its own.
  const __m512i in_order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
  const __m512i low = _mm512_maskz_packus_epi32(kAllWords, numbers[0], numbers[1]);
  const __m512i high = _mm512_maskz_packus_epi32(kAllWords, numbers[2], numbers[3]);
  const __m512i bytes = _mm512_maskz_packus_epi16(kAllBytes, low, high);
  _mm512_storeu_si512(to, _mm512_maskz_permutexvar_epi32(kAll, in_order, bytes));
}

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
    const __m512 values = _mm512_maskz_max_ps(kAll, _mm512_sub_ps(_mm512_setzero_ps(), most),
                                              _mm512_maskz_min_ps(kAll, most, exact));
    _mm512_mask_cvtsepi32_storeu_epi8(q + i, lanes, _mm512_maskz_cvtps_epi32(kAll, values));
  }
  return scale;
}

RowScaling quantize_inputs(const float* x, std::int64_t count, const RowBytes& q) {
  const auto [least, largest] = range_of(x, count);
  const RowScaling row{(largest - least) / kLargestInput, least};
  const Quantizer quantized(row);
  RowBytes run = q;
  std::int64_t i = 0;
  for (; i + RowBytes::kRun <= count; i += RowBytes::kRun) {
    __m512i first[4];
    __m512i second[4];
    for (int part = 0; part < 4; ++part) {
      const QuantizedLanes lanes = quantized(_mm512_loadu_ps(x + i + part * kLanes));
      first[part] = lanes.first;
      second[part] = lanes.second;
    }
    store_bytes(first, run.first);
    run.first += q.run_stride;
    if (q.second == nullptr) continue;
    store_bytes(second, run.second);
    run.second += q.run_stride;
  }
  for (; i < count; i += kLanes) {
    const __mmask16 there = lanes_left(count - i);
    const QuantizedLanes lanes = quantized(_mm512_maskz_loadu_ps(there, x + i));
    const std::int64_t place = i % RowBytes::kRun;
    _mm512_mask_cvtusepi32_storeu_epi8(run.first + place, there, lanes.first);
    if (q.second == nullptr) continue;
    _mm512_mask_cvtusepi32_storeu_epi8(run.second + place, there, lanes.second);
  }
  return row;
}

void rescale(const Sums& sums, const RowScaling* scalings, const OutputScaling& outputs, float* y,
             std::int64_t y_stride) {
  const bool is_fine = sums.second != nullptr;
  const __m512 finer = _mm512_set1_ps(1.0F / kLargestInput);
  const auto rescale_lanes = [&](std::int64_t begin, std::int64_t end, std::int64_t output,
                                 __mmask16 lanes) {
    const __m512 output_scale = _mm512_maskz_loadu_ps(lanes, outputs.scale + output);
    const __m512 weight_sum = _mm512_maskz_loadu_ps(lanes, outputs.weight_sum + output);
    const __m512 bias = _mm512_maskz_loadu_ps(lanes, outputs.bias + output);
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t place = row * sums.outputs + output;
      const auto load = [&](const std::int32_t* from) {
        return _mm512_maskz_cvtepi32_ps(kAll, _mm512_maskz_loadu_epi32(lanes, from + place));
      };
      const auto [scale, offset] = scalings[row];
      const __m512 factor = _mm512_mul_ps(_mm512_set1_ps(scale), output_scale);
      __m512 sum = load(sums.first);
      if (is_fine) sum = _mm512_fmadd_ps(load(sums.second), finer, sum);
      const float shift = is_fine ? offset - 0.5F * scale : offset;
      const __m512 constant = _mm512_fmadd_ps(_mm512_set1_ps(shift), weight_sum, bias);
      _mm512_mask_storeu_ps(y + row * y_stride + output, lanes,
                            _mm512_fmadd_ps(sum, factor, constant));
    }
  };
  for (std::int64_t begin = 0; begin < sums.rows; begin += kRowsTogether) {
    const std::int64_t left = sums.rows - begin;
    const std::int64_t end = begin + (left < kRowsTogether ? left : kRowsTogether);
    std::int64_t output = 0;
    for (; output + kLanes <= sums.outputs; output += kLanes) {
      rescale_lanes(begin, end, output, kAll);
    }
    if (output < sums.outputs) rescale_lanes(begin, end, output, lanes_left(sums.outputs - output));
  }
}

}  // namespace notbad::ops::int8
