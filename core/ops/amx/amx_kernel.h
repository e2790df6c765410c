#pragma once

#include <cstdint>

#include "core/ops/int8/row_scaling.h"

// Products in AMX tiles, which multiply BF16 numbers and add in float32, or bytes and add exactly.
// A float is the sum of three BF16 numbers, to its last bit; weights that are BF16 in the file need
// no splitting. So three products give what float32 would, at less than half the time of AVX-512.
// After Henry, Tang and Heinecke, "Leveraging the bfloat16 artificial intelligence datatype for
// higher-precision computations", 2019, section II.
//
// Callable where processor_has(Instructions::kAmx). Compiled for it, so this includes nothing that
// other sources compile too.

namespace notbad::ops::amx {

// What tiles multiply.
struct Bf16 {
  using Input = std::uint16_t;
  using Weight = std::uint16_t;
};
struct Int8 {
  using Input = std::uint8_t;
  using Weight = std::int8_t;
};

constexpr std::int64_t kTileRows = 16;
constexpr std::int64_t kRowBytes = 64;
constexpr std::int64_t kPanelOutputs = 32;

// Of a row of a tile.
template <class Numbers>
constexpr std::int64_t kStepInputs = kRowBytes / sizeof(typename Numbers::Input);

// Inputs whose products one lane takes at once, so that their weights lie side by side.
template <class Numbers>
constexpr std::int64_t kLaneInputs = sizeof(float) / sizeof(typename Numbers::Weight);

template <class Numbers>
constexpr std::int64_t steps_of(std::int64_t in_features) {
  return (in_features + kStepInputs<Numbers> - 1) / kStepInputs<Numbers>;
}

// Numbers of 16 rows, in the order in which tiles take them: [steps, 16, kStepInputs].
template <class Numbers>
constexpr std::int64_t tile_row_size(std::int64_t in_features) {
  return steps_of<Numbers>(in_features) * kTileRows * kStepInputs<Numbers>;
}

// A panel of 32 outputs: [steps, 2 halves, 16 lanes of inputs, 16 outputs, kLaneInputs].
template <class Numbers>
constexpr std::int64_t panel_size(std::int64_t in_features) {
  return steps_of<Numbers>(in_features) * kStepInputs<Numbers> * kPanelOutputs;
}

// Where the weight of `input` and `output` stands in its panel; what no weight fills must be zero.
template <class Numbers>
constexpr std::int64_t place_in_panel(std::int64_t input, std::int64_t output) {
  constexpr std::int64_t kStep = kStepInputs<Numbers>;
  constexpr std::int64_t kLane = kLaneInputs<Numbers>;
  constexpr std::int64_t kHalf = kPanelOutputs / 2;
  const std::int64_t half = (input / kStep * 2 + output / kHalf) * kHalf * kStep;
  return half + input % kStep / kLane * kHalf * kLane + output % kHalf * kLane + input % kLane;
}

// x [rows, in] as BF16 numbers: the nearest where `num_parts` is 1, or where it is 3 those whose
// sum is x, the largest first, eight bits of its significand each. `parts`: for every 16 rows
// [steps, parts, 16, 32].
void split_rows(const float* x, std::int64_t rows, std::int64_t in_features, std::int64_t num_parts,
                std::uint16_t* parts);

struct Bf16Block {
  const std::uint16_t* parts;  // of `rows` rows, by split_rows()
  std::int64_t rows;           // at least 1
  std::int64_t num_parts;
  std::int64_t in_features;
  const std::uint16_t* panels;  // [num_panels, panel_size()]
  const float* bias;            // [num_panels * 32]
  std::int64_t num_panels;
  float* y;  // [rows, num_panels * 32]
  std::int64_t y_stride;
};

// y = x Wᵀ + b. Every sum starts at the bias and takes its products in the order of the inputs,
// step by step and part by part within a step, whatever the number of rows.
void multiply(const Bf16Block& block);

// x [rows, in] as bytes, `num_passes` of them for each value, scaled as `scalings` [rows] tells.
// `bytes`: tile_row_size() for every 16 rows and pass, the passes of the same rows together.
void quantize_rows(const float* x, std::int64_t rows, std::int64_t in_features,
                   std::int64_t num_passes, std::uint8_t* bytes, int8::RowScaling* scalings);

struct Int8Block {
  const std::uint8_t* bytes;         // of `rows` rows, by quantize_rows()
  const int8::RowScaling* scalings;  // [rows]
  std::int64_t rows;                 // at least 1
  std::int64_t num_passes;           // 1 or 2
  std::int64_t in_features;
  const std::int8_t* panels;    // [num_panels, panel_size()]
  int8::OutputScaling outputs;  // [num_panels * 32] each
  std::int64_t num_panels;
  float* y;  // [rows, num_panels * 32]
  std::int64_t y_stride;
};

// y = x Wᵀ + b of what the bytes stand for. Sums are exact.
void multiply(const Int8Block& block);

}  // namespace notbad::ops::amx
