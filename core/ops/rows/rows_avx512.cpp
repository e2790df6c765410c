#include <immintrin.h>

#include "core/ops/rows/gelu_row.h"
#include "core/ops/rows/layer_norm_row.h"
#include "core/ops/rows/row_kernel.h"
#include "core/ops/rows/softmax_row.h"

// Compiled for AVX-512 (F, BW, VL and DQ); called only where the processor has it. Short rows of
// softmax stay in registers: the operations of softmax_row() in its order, the last lanes masked.
// Forms of intrinsics without a mask read an undefined register in GCC's header, and GCC 12 warns
// of some.

namespace notbad::ops::rows {
namespace {

constexpr __mmask16 kAll = 0xFFFF;

// Of the lanes from here on, those that are there.
__mmask16 lanes_left(std::int64_t count) {
  const auto lanes = static_cast<unsigned>(count >= kLanes ? kLanes : count <= 0 ? 0 : count);
  return static_cast<__mmask16>((1U << lanes) - 1U);
}

__m512 load(const float* scores, __mmask16 lanes) {
  return _mm512_mask_loadu_ps(_mm512_set1_ps(-kInfinity), lanes, scores);
}

__m512 exp_of_negative(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x);
  const __m512i smallest = _mm512_set1_epi32(static_cast<int>(kSmallestBits));
  const __m512 bounded = _mm512_castsi512_ps(_mm512_maskz_min_epu32(kAll, bits, smallest));
  const __m512 rounder = _mm512_set1_ps(kRounder);
  const __m512 shifted = _mm512_add_ps(_mm512_mul_ps(bounded, _mm512_set1_ps(kLog2OfE)), rounder);
  const __m512 n = _mm512_sub_ps(shifted, rounder);
  const __m512 high = _mm512_sub_ps(bounded, _mm512_mul_ps(n, _mm512_set1_ps(kLn2High)));
  const __m512 r = _mm512_sub_ps(high, _mm512_mul_ps(n, _mm512_set1_ps(kLn2Low)));
  __m512 series = _mm512_setzero_ps();
  for (const float coefficient : kSeries) {
    series = _mm512_add_ps(_mm512_mul_ps(series, r), _mm512_set1_ps(coefficient));
  }
  const __m512i exponent = _mm512_maskz_slli_epi32(kAll, _mm512_castps_si512(shifted),
                                                   static_cast<unsigned>(kFractionBits));
  const __m512 power =
      _mm512_castsi512_ps(_mm512_add_epi32(exponent, _mm512_set1_epi32(static_cast<int>(kOne))));
  const __mmask16 kept = _mm512_cmplt_epu32_mask(bits, smallest);
  return _mm512_maskz_mul_ps(kept, series, power);
}

template <int kHalf>
__m256 half_of(__m512 lanes) {
  return _mm512_maskz_extractf32x8_ps(0xFF, lanes, kHalf);
}

float largest_lane(__m512 lanes) {
  const __m256 half = _mm256_max_ps(half_of<0>(lanes), half_of<1>(lanes));
  __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  quarter = _mm_max_ps(quarter, _mm_movehl_ps(quarter, quarter));
  return _mm_cvtss_f32(_mm_max_ps(quarter, _mm_movehdup_ps(quarter)));
}

float sum_of_lanes(__m512 lanes) {
  const __m256 half = _mm256_add_ps(half_of<0>(lanes), half_of<1>(lanes));
  __m128 quarter = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  quarter = _mm_add_ps(quarter, _mm_movehl_ps(quarter, quarter));
  return _mm_cvtss_f32(_mm_add_ps(quarter, _mm_movehdup_ps(quarter)));
}

// A row of up to kBlocks times kLanes scores, which stay in registers.
template <int kBlocks>
void softmax_in_registers(float* scores, std::int64_t count) {
  __m512 blocks[kBlocks];
  __m512 largest = _mm512_set1_ps(-kInfinity);
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = load(scores + i * kLanes, lanes_left(count - i * kLanes));
    largest = _mm512_maskz_max_ps(kAll, blocks[i], largest);
  }
  const float top = largest_lane(largest);
  const bool is_empty = top == -kInfinity;
  const __m512 subtrahend = _mm512_set1_ps(is_empty ? 0.0F : top);
  __m512 sums = _mm512_setzero_ps();
  for (__m512& block : blocks) {
    block = exp_of_negative(_mm512_sub_ps(block, subtrahend));
    sums = _mm512_add_ps(sums, block);
  }
  const __m512 scale = _mm512_set1_ps(is_empty ? 0.0F : 1.0F / sum_of_lanes(sums));
  for (int i = 0; i < kBlocks; ++i) {
    _mm512_mask_storeu_ps(scores + i * kLanes, lanes_left(count - i * kLanes),
                          _mm512_mul_ps(blocks[i], scale));
  }
}

void fast_softmax_row(float* scores, std::int64_t count) {
  if (count <= kLanes) return softmax_in_registers<1>(scores, count);
  if (count <= 2 * kLanes) return softmax_in_registers<2>(scores, count);
  if (count <= 4 * kLanes) return softmax_in_registers<4>(scores, count);
  if (count <= 8 * kLanes) return softmax_in_registers<8>(scores, count);
  softmax_row(scores, count);
}

}  // namespace

const RowKernel& avx512_rows() {
  static constexpr RowKernel kKernel{
      .softmax = fast_softmax_row, .layer_norm = layer_norm_row, .gelu = gelu_row};
  return kKernel;
}

}  // namespace notbad::ops::rows
