#include <immintrin.h>

#include "core/ops/panel/panel_kernel.h"
#include "core/ops/panel/panel_tiles.h"

// Compiled for AVX2 and FMA; called only where the processor has both.

namespace notbad::ops::panel {
namespace {

struct Lanes {
  static constexpr std::int64_t kCount = 8;
  using Floats = __m256;
  struct Pair {
    Floats low;
    Floats high;
  };

  static Floats load(const float* from) { return _mm256_loadu_ps(from); }
  static Floats repeat(float value) { return _mm256_set1_ps(value); }
  static void store(float* to, Floats values) { _mm256_storeu_ps(to, values); }
  static Floats multiply_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
  static void prefetch(const char* from) { _mm_prefetch(from, _MM_HINT_T0); }
  static Pair load_pair(const float* from) { return {load(from), load(from + kCount)}; }
  static Pair load_pair(const std::uint16_t* from) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i high = _mm256_set1_epi32(static_cast<int>(0xFFFF0000U));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(both, 16)),
            _mm256_castsi256_ps(_mm256_and_si256(both, high))};
  }
};

// 12 of the 16 registers hold sums.
template <class Weights>
constexpr TileFunction kTiles[] = {
    multiply_tile<Lanes, Weights, 1>, multiply_tile<Lanes, Weights, 2>,
    multiply_tile<Lanes, Weights, 3>, multiply_tile<Lanes, Weights, 4>,
    multiply_tile<Lanes, Weights, 5>, multiply_tile<Lanes, Weights, 6>};

}  // namespace

const PanelKernel& avx2_panel_kernel() {
  static constexpr PanelKernel kKernel{.bf16_name = "panel:avx2_f32_by_bf16_weights",
                                       .f32_name = "panel:avx2_f32",
                                       .width = 2 * Lanes::kCount,
                                       .max_rows = 6,
                                       .bf16 = kTiles<Bf16Weights>,
                                       .floats = kTiles<FloatWeights>};
  return kKernel;
}

}  // namespace notbad::ops::panel
