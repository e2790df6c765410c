#include "core/ops/amx/amx_kernel.h"

#include <immintrin.h>

namespace notbad::ops::amx {
namespace {

constexpr std::int64_t kTileSize = kTileRows * kStepInputs;  // BF16 numbers
constexpr std::int64_t kRowBytes = 64;
constexpr std::int64_t kHalf = kPanelOutputs / 2;
constexpr std::int64_t kPairRows = 2 * kTileRows;

// Bytes of weights that are asked for ahead of use: the next level of memory is some 200 ns away.
constexpr std::int64_t kPrefetchBytes = 4096;
constexpr std::int64_t kCacheLine = 64;

// The tiles: sums of two groups of rows and two halves of a panel, the groups' inputs, the weights.
// Instructions name a tile in their code, so these cannot be variables.
#define NOTBAD_SUMS_00 0
#define NOTBAD_SUMS_01 1
#define NOTBAD_SUMS_10 2
#define NOTBAD_SUMS_11 3
#define NOTBAD_INPUTS_0 4
#define NOTBAD_INPUTS_1 5
#define NOTBAD_WEIGHTS_0 6
#define NOTBAD_WEIGHTS_1 7

// As LDTILECFG reads it.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

// Tiles for up to 32 rows, in two groups where they do not fit one; clears them.
void configure(std::int64_t rows) {
  TileConfig config;
  const auto set = [&](int tile, std::int64_t count) {
    config.row_bytes[tile] = kRowBytes;
    config.rows[tile] = static_cast<std::uint8_t>(count);
  };
  const std::int64_t first_rows = rows < kTileRows ? rows : kTileRows;
  set(NOTBAD_SUMS_00, first_rows);
  set(NOTBAD_SUMS_01, first_rows);
  set(NOTBAD_INPUTS_0, first_rows);
  if (const std::int64_t second_rows = rows - first_rows; second_rows > 0) {
    set(NOTBAD_SUMS_10, second_rows);
    set(NOTBAD_SUMS_11, second_rows);
    set(NOTBAD_INPUTS_1, second_rows);
  }
  set(NOTBAD_WEIGHTS_0, kTileRows);
  set(NOTBAD_WEIGHTS_1, kTileRows);
  // GCC 12's _tile_loadconfig() does not say that it reads more than the first eight bytes.
  __asm__ volatile("ldtilecfg %0" : : "m"(config));
}

struct PanelProduct {
  const std::uint16_t* first;   // a group of rows
  const std::uint16_t* second;  // the next; not read where there is none
  const std::uint16_t* panel;
  const float* bias;
  float* y;
};

// Asks for the weights of a later step in as many turns as there are tiles of inputs: all at once
// they would hold up those tiles, which wait in the same queue for a nearer memory.
template <int kTurns>
class WeightPrefetch {
 public:
  explicit WeightPrefetch(const std::uint16_t* weights)
      : next_(reinterpret_cast<const char*>(weights) + kPrefetchBytes) {}

  void take_turn() {
    constexpr int kLines = static_cast<int>(2 * kTileRows);
    for (int line = 0; line < (kLines + kTurns - 1) / kTurns; ++line, next_ += kCacheLine) {
      _mm_prefetch(next_, _MM_HINT_T0);
    }
  }

 private:
  const char* next_;
};

template <int kParts, bool kHasSecond>
void multiply_panel(const Block& block, const PanelProduct& product) {
  _tile_loadd(NOTBAD_SUMS_00, product.bias, 0);  // a stride of 0 repeats the row
  _tile_loadd(NOTBAD_SUMS_01, product.bias + kHalf, 0);
  if constexpr (kHasSecond) {
    _tile_loadd(NOTBAD_SUMS_10, product.bias, 0);
    _tile_loadd(NOTBAD_SUMS_11, product.bias + kHalf, 0);
  }
  const std::uint16_t* first = product.first;
  const std::uint16_t* second = product.second;
  const std::uint16_t* weights = product.panel;
  for (std::int64_t step = steps_of(block.in_features); step > 0; --step) {
    WeightPrefetch<kHasSecond ? 2 * kParts : kParts> prefetch(weights);
    _tile_loadd(NOTBAD_WEIGHTS_0, weights, kRowBytes);
    _tile_loadd(NOTBAD_WEIGHTS_1, weights + kTileSize, kRowBytes);
    weights += 2 * kTileSize;
    for (int part = 0; part < kParts; ++part) {
      _tile_loadd(NOTBAD_INPUTS_0, first, kRowBytes);
      first += kTileSize;
      prefetch.take_turn();
      _tile_dpbf16ps(NOTBAD_SUMS_00, NOTBAD_INPUTS_0, NOTBAD_WEIGHTS_0);
      _tile_dpbf16ps(NOTBAD_SUMS_01, NOTBAD_INPUTS_0, NOTBAD_WEIGHTS_1);
      if constexpr (kHasSecond) {
        _tile_loadd(NOTBAD_INPUTS_1, second, kRowBytes);
        second += kTileSize;
        prefetch.take_turn();
        _tile_dpbf16ps(NOTBAD_SUMS_10, NOTBAD_INPUTS_1, NOTBAD_WEIGHTS_0);
        _tile_dpbf16ps(NOTBAD_SUMS_11, NOTBAD_INPUTS_1, NOTBAD_WEIGHTS_1);
      }
    }
  }
  const auto stride = static_cast<std::int64_t>(sizeof(float)) * block.y_stride;
  _tile_stored(NOTBAD_SUMS_00, product.y, stride);
  _tile_stored(NOTBAD_SUMS_01, product.y + kHalf, stride);
  if constexpr (kHasSecond) {
    float* const y = product.y + kTileRows * block.y_stride;
    _tile_stored(NOTBAD_SUMS_10, y, stride);
    _tile_stored(NOTBAD_SUMS_11, y + kHalf, stride);
  }
}

template <int kParts>
void multiply_parts(const Block& block) {
  const std::int64_t group_size = tile_row_size(block.in_features, kParts);
  std::int64_t configured = 0;
  for (std::int64_t panel = 0; panel < block.num_panels; ++panel) {
    for (std::int64_t begin = 0; begin < block.rows; begin += kPairRows) {
      const std::int64_t left = block.rows - begin;
      const std::int64_t rows = left < kPairRows ? left : kPairRows;
      if (rows != configured) configure(rows);
      configured = rows;
      const std::uint16_t* const first = block.parts + begin / kTileRows * group_size;
      const PanelProduct product{.first = first,
                                 .second = first + group_size,
                                 .panel = block.panels + panel * panel_size(block.in_features),
                                 .bias = block.bias + panel * kPanelOutputs,
                                 .y = block.y + begin * block.y_stride + panel * kPanelOutputs};
      if (rows > kTileRows) {
        multiply_panel<kParts, true>(block, product);
      } else {
        multiply_panel<kParts, false>(block, product);
      }
    }
  }
  _tile_release();  // so that nobody saves and restores them when the thread is switched
}

// 16 floats, and 0 for those past the last.
__m512 load_up_to(const float* from, std::int64_t count) {
  if (count >= kHalf) return _mm512_loadu_ps(from);
  const unsigned lanes = count > 0 ? (1U << static_cast<unsigned>(count)) - 1U : 0U;
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>(lanes), from);
}

// The inputs of a step.
struct Inputs {
  __m512 low;
  __m512 high;
};

void store_rounded(const Inputs& inputs, std::uint16_t* to) {
  const auto nearest = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(inputs.high, inputs.low));
  _mm512_storeu_si512(to, nearest);
}

// Their upper halves as they are, which are BF16 numbers; what those leave is returned, exactly.
Inputs store_upper_halves(const Inputs& inputs, std::uint16_t* to) {
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(0xFFFF0000U));
  const __m512i low = _mm512_and_si512(_mm512_castps_si512(inputs.low), mask);
  const __m512i high = _mm512_and_si512(_mm512_castps_si512(inputs.high), mask);
  const __m512i odd_places =
      _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33,  // of `high`
                       31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  _mm512_storeu_si512(to, _mm512_permutex2var_epi16(low, odd_places, high));
  return {_mm512_sub_ps(inputs.low, _mm512_castsi512_ps(low)),
          _mm512_sub_ps(inputs.high, _mm512_castsi512_ps(high))};
}

}  // namespace

void split_rows(const float* x, std::int64_t rows, std::int64_t in_features, std::int64_t num_parts,
                std::uint16_t* parts) {
  for (std::int64_t row = 0; row < rows; ++row, x += in_features) {
    std::uint16_t* to = parts + row / kTileRows * tile_row_size(in_features, num_parts) +
                        row % kTileRows * kStepInputs;
    for (std::int64_t input = 0; input < in_features; input += kStepInputs) {
      Inputs rest{load_up_to(x + input, in_features - input),
                  load_up_to(x + input + kHalf, in_features - input - kHalf)};
      if (num_parts == 1) {
        store_rounded(rest, to);
        to += kTileSize;
        continue;
      }
      for (std::int64_t part = 0; part < num_parts; ++part, to += kTileSize) {
        rest = store_upper_halves(rest, to);
      }
    }
  }
  // GCC 12's _tile_loadd() does not say that it reads memory: nothing may be written after it.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void multiply(const Block& block) {
  if (block.num_parts == 1) {
    multiply_parts<1>(block);
  } else {
    multiply_parts<3>(block);
  }
}

}  // namespace notbad::ops::amx
