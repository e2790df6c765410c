#include <immintrin.h>

#include "core/ops/panel/panel_kernel.h"
#include "core/ops/panel/panel_tiles.h"

// Compiled for AVX-512 (F); called only where the processor has it.

namespace notbad::ops::panel {
namespace {

struct Lanes {
  static constexpr std::int64_t kCount = 16;
  using Floats = __m512;
  struct Pair {
    Floats low;
    Floats high;
  };

  static Floats load(const float* from) { return _mm512_loadu_ps(from); }
  static Floats repeat(float value) { return _mm512_set1_ps(value); }
  static void store(float* to, Floats values) { _mm512_storeu_ps(to, values); }
  static Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
  static void prefetch(const char* from) { _mm_prefetch(from, _MM_HINT_T0); }
  static Pair load_pair(const float* from) { return {load(from), load(from + kCount)}; }
  static Pair load_pair(const std::uint16_t* from) {
    const __m512i both = _mm512_loadu_si512(from);
    const __m512i high = _mm512_set1_epi32(static_cast<int>(0xFFFF0000U));
    // The form without a mask reads an undefined register in GCC's header, and GCC 12 warns of it.
    return {_mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xFFFF, both, 16)),
            _mm512_castsi512_ps(_mm512_and_si512(both, high))};
  }
};

// 24 of the 32 registers hold sums.
template <class Weights>
constexpr TileFunction kTiles[] = {
    multiply_tile<Lanes, Weights, 1>,  multiply_tile<Lanes, Weights, 2>,
    multiply_tile<Lanes, Weights, 3>,  multiply_tile<Lanes, Weights, 4>,
    multiply_tile<Lanes, Weights, 5>,  multiply_tile<Lanes, Weights, 6>,
    multiply_tile<Lanes, Weights, 7>,  multiply_tile<Lanes, Weights, 8>,
    multiply_tile<Lanes, Weights, 9>,  multiply_tile<Lanes, Weights, 10>,
    multiply_tile<Lanes, Weights, 11>, multiply_tile<Lanes, Weights, 12>};

}  // namespace

const PanelKernel& avx512_panel_kernel() {
  static constexpr PanelKernel kKernel{.bf16_name = "panel:avx512_f32_by_bf16_weights",
                                       .f32_name = "panel:avx512_f32",
                                       .width = 2 * Lanes::kCount,
                                       .max_rows = 12,
                                       .bf16 = kTiles<Bf16Weights>,
                                       .floats = kTiles<FloatWeights>};
  return kKernel;
}

}  // namespace notbad::ops::panel
