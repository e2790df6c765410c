#include "core/ops/amx/amx_kernel.h"

#include <immintrin.h>

namespace notbad::ops::amx {
namespace {

constexpr std::int64_t kTileBytes = kTileRows * kRowBytes;
constexpr std::int64_t kHalf = kPanelOutputs / 2;

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

// Rows of the first group and of the second, up to 16 each; the second may have none.
struct GroupRows {
  std::int64_t first;
  std::int64_t second;

  bool operator==(const GroupRows&) const = default;
};

// Up to 32 rows, in two groups where they do not fit one.
GroupRows in_groups(std::int64_t rows) {
  const std::int64_t first = rows < kTileRows ? rows : kTileRows;
  return {first, rows - first};
}

// Tiles for that many rows; clears them.
void configure(const GroupRows& rows) {
  TileConfig config;
  const auto set = [&](int tile, std::int64_t count) {
    config.row_bytes[tile] = kRowBytes;
    config.rows[tile] = static_cast<std::uint8_t>(count);
  };
  set(NOTBAD_SUMS_00, rows.first);
  set(NOTBAD_SUMS_01, rows.first);
  set(NOTBAD_INPUTS_0, rows.first);
  if (rows.second > 0) {
    set(NOTBAD_SUMS_10, rows.second);
    set(NOTBAD_SUMS_11, rows.second);
    set(NOTBAD_INPUTS_1, rows.second);
  }
  set(NOTBAD_WEIGHTS_0, kTileRows);
  set(NOTBAD_WEIGHTS_1, kTileRows);
  // GCC 12's _tile_loadconfig() does not say that it reads more than the first eight bytes.
  __asm__ volatile("ldtilecfg %0" : : "m"(config));
}

// Asks for the weights of a later step in as many turns as there are tiles of inputs: all at once
// they would hold up those tiles, which wait in the same queue for a nearer memory.
template <int kTurns>
class WeightPrefetch {
 public:
  explicit WeightPrefetch(const char* weights) : next_(weights + kPrefetchBytes) {}

  void take_turn() {
    constexpr int kLines = static_cast<int>(2 * kTileRows);
    for (int line = 0; line < (kLines + kTurns - 1) / kTurns; ++line, next_ += kCacheLine) {
      _mm_prefetch(next_, _MM_HINT_T0);
    }
  }

 private:
  const char* next_;
};

// Tiles in the order in which a panel's product takes them.
struct TileStreams {
  const char* first;    // of a group of rows
  const char* second;   // of the next; not read where there is none
  const char* weights;  // of a panel
};

template <class Value>
const char* bytes_of(const Value* values) {
  return reinterpret_cast<const char*>(values);
}

#define NOTBAD_ADD_PRODUCTS(sums, inputs, weights)      \
  if constexpr (sizeof(typename Numbers::Input) == 1) { \
    _tile_dpbusd(sums, inputs, weights);                \
  } else {                                              \
    _tile_dpbf16ps(sums, inputs, weights);              \
  }

// Adds the products of every step, part by part, to the sums of both halves of a panel.
template <class Numbers, int kParts, bool kHasSecond>
void add_products(TileStreams next, std::int64_t in_features) {
  for (std::int64_t step = steps_of<Numbers>(in_features); step > 0; --step) {
    WeightPrefetch<kHasSecond ? 2 * kParts : kParts> prefetch(next.weights);
    _tile_loadd(NOTBAD_WEIGHTS_0, next.weights, kRowBytes);
    _tile_loadd(NOTBAD_WEIGHTS_1, next.weights + kTileBytes, kRowBytes);
    next.weights += 2 * kTileBytes;
    for (int part = 0; part < kParts; ++part) {
      _tile_loadd(NOTBAD_INPUTS_0, next.first, kRowBytes);
      next.first += kTileBytes;
      prefetch.take_turn();
      NOTBAD_ADD_PRODUCTS(NOTBAD_SUMS_00, NOTBAD_INPUTS_0, NOTBAD_WEIGHTS_0)
      NOTBAD_ADD_PRODUCTS(NOTBAD_SUMS_01, NOTBAD_INPUTS_0, NOTBAD_WEIGHTS_1)
      if constexpr (kHasSecond) {
        _tile_loadd(NOTBAD_INPUTS_1, next.second, kRowBytes);
        next.second += kTileBytes;
        prefetch.take_turn();
        NOTBAD_ADD_PRODUCTS(NOTBAD_SUMS_10, NOTBAD_INPUTS_1, NOTBAD_WEIGHTS_0)
        NOTBAD_ADD_PRODUCTS(NOTBAD_SUMS_11, NOTBAD_INPUTS_1, NOTBAD_WEIGHTS_1)
      }
    }
  }
}

// y: [rows, 32] of floats or of int32, rows `row_size` of them apart
template <bool kHasSecond, class Sum>
void store_sums(Sum* y, std::int64_t row_size) {
  const auto stride = static_cast<std::int64_t>(sizeof(Sum)) * row_size;
  _tile_stored(NOTBAD_SUMS_00, y, stride);
  _tile_stored(NOTBAD_SUMS_01, y + kHalf, stride);
  if constexpr (kHasSecond) {
    Sum* const second = y + kTileRows * row_size;
    _tile_stored(NOTBAD_SUMS_10, second, stride);
    _tile_stored(NOTBAD_SUMS_11, second + kHalf, stride);
  }
}

// use(panel, begin, rows) for every panel and every pair of groups, which takes kPairRows of the
// block's rows or what is left of them, with tiles configured for it.
template <std::int64_t kPairRows, class Block, class GroupsOf, class Use>
void for_each_pair(const Block& block, const GroupsOf& groups_of, const Use& use) {
  GroupRows configured{0, 0};
  for (std::int64_t panel = 0; panel < block.num_panels; ++panel) {
    for (std::int64_t begin = 0; begin < block.rows; begin += kPairRows) {
      const std::int64_t left = block.rows - begin;
      const std::int64_t rows = left < kPairRows ? left : kPairRows;
      const GroupRows groups = groups_of(rows);
      if (groups != configured) configure(groups);
      configured = groups;
      use(panel, begin, rows);
    }
  }
  _tile_release();  // so that nobody saves and restores them when the thread is switched
}

template <int kParts, bool kHasSecond>
void multiply_panel(const TileStreams& tiles, std::int64_t in_features, const float* bias, float* y,
                    std::int64_t y_stride) {
  _tile_loadd(NOTBAD_SUMS_00, bias, 0);  // a stride of 0 repeats the row
  _tile_loadd(NOTBAD_SUMS_01, bias + kHalf, 0);
  if constexpr (kHasSecond) {
    _tile_loadd(NOTBAD_SUMS_10, bias, 0);
    _tile_loadd(NOTBAD_SUMS_11, bias + kHalf, 0);
  }
  add_products<Bf16, kParts, kHasSecond>(tiles, in_features);
  store_sums<kHasSecond>(y, y_stride);
}

template <int kParts>
void multiply_parts(const Bf16Block& block) {
  const std::int64_t group_size = tile_row_size<Bf16>(block.in_features) * kParts;
  const std::int64_t weights_size = panel_size<Bf16>(block.in_features);
  const auto multiply_pair = [&](std::int64_t panel, std::int64_t begin, std::int64_t rows) {
    const std::uint16_t* const first = block.parts + begin / kTileRows * group_size;
    const TileStreams tiles{.first = bytes_of(first),
                            .second = bytes_of(first + group_size),
                            .weights = bytes_of(block.panels + panel * weights_size)};
    const float* const bias = block.bias + panel * kPanelOutputs;
    float* const y = block.y + begin * block.y_stride + panel * kPanelOutputs;
    if (rows > kTileRows) {
      multiply_panel<kParts, true>(tiles, block.in_features, bias, y, block.y_stride);
    } else {
      multiply_panel<kParts, false>(tiles, block.in_features, bias, y, block.y_stride);
    }
  };
  for_each_pair<2 * kTileRows>(block, in_groups, multiply_pair);
}

template <bool kHasSecond>
void sum_panel(const TileStreams& tiles, std::int64_t in_features, std::int32_t* sums) {
  _tile_zero(NOTBAD_SUMS_00);
  _tile_zero(NOTBAD_SUMS_01);
  if constexpr (kHasSecond) {
    _tile_zero(NOTBAD_SUMS_10);
    _tile_zero(NOTBAD_SUMS_11);
  }
  add_products<Int8, 1, kHasSecond>(tiles, in_features);
  store_sums<kHasSecond>(sums, kPanelOutputs);
  // GCC 12's _tile_stored() does not say that it writes memory: nothing may be read before it.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// A pair of groups is two of rows, or where there are two passes the first and second bytes of the
// same rows.
template <int kPasses>
void multiply_passes(const Int8Block& block) {
  const std::int64_t group_size = tile_row_size<Int8>(block.in_features);
  const std::int64_t weights_size = panel_size<Int8>(block.in_features);
  const auto groups_of = [](std::int64_t rows) {
    return kPasses == 2 ? GroupRows{rows, rows} : in_groups(rows);
  };
  alignas(kRowBytes) std::int32_t sums[2 * kTileRows * kPanelOutputs];
  const auto multiply_pair = [&](std::int64_t panel, std::int64_t begin, std::int64_t rows) {
    const std::uint8_t* const first = block.bytes + begin / kTileRows * kPasses * group_size;
    const TileStreams tiles{.first = bytes_of(first),
                            .second = bytes_of(first + group_size),
                            .weights = bytes_of(block.panels + panel * weights_size)};
    if (kPasses == 2 || rows > kTileRows) {
      sum_panel<true>(tiles, block.in_features, sums);
    } else {
      sum_panel<false>(tiles, block.in_features, sums);
    }
    int8::rescale({.first = sums,
                   .second = kPasses == 2 ? sums + kTileRows * kPanelOutputs : nullptr,
                   .rows = rows,
                   .outputs = kPanelOutputs},
                  block.scalings + begin, block.outputs.from(panel * kPanelOutputs),
                  block.y + begin * block.y_stride + panel * kPanelOutputs, block.y_stride);
  };
  for_each_pair<2 / kPasses * kTileRows>(block, groups_of, multiply_pair);
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
  constexpr std::int64_t kStep = kStepInputs<Bf16>;
  constexpr std::int64_t kTileSize = kTileRows * kStep;
  for (std::int64_t row = 0; row < rows; ++row, x += in_features) {
    std::uint16_t* to = parts + row / kTileRows * tile_row_size<Bf16>(in_features) * num_parts +
                        row % kTileRows * kStep;
    for (std::int64_t input = 0; input < in_features; input += kStep) {
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

void multiply(const Bf16Block& block) {
  if (block.num_parts == 1) {
    multiply_parts<1>(block);
  } else {
    multiply_parts<3>(block);
  }
}

void quantize_rows(const float* x, std::int64_t rows, std::int64_t in_features,
                   std::int64_t num_passes, std::uint8_t* bytes, int8::RowScaling* scalings) {
  const std::int64_t group_size = tile_row_size<Int8>(in_features);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::uint8_t* const first =
        bytes + row / kTileRows * num_passes * group_size + row % kTileRows * kRowBytes;
    scalings[row] = int8::quantize_inputs(x + row * in_features, in_features,
                                          {.first = first,
                                           .second = num_passes == 2 ? first + group_size : nullptr,
                                           .run_stride = kTileBytes});
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);  // as in split_rows()
}

void multiply(const Int8Block& block) {
  if (block.num_passes == 1) {
    multiply_passes<1>(block);
  } else {
    multiply_passes<2>(block);
  }
}

}  // namespace notbad::ops::amx
