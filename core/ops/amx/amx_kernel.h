#pragma once

#include <cstdint>

// Products in AMX tiles, which multiply BF16 numbers and add in float32. A float is the sum of
// three BF16 numbers, to its last bit; weights that are BF16 in the file need no splitting. So
// three products give what float32 would, at less than half the time of AVX-512. After Henry, Tang
// and Heinecke, "Leveraging the bfloat16 artificial intelligence datatype for higher-precision
// computations", 2019, section II.
//
// Callable where processor_has(Instructions::kAmx). Compiled for it, so this includes nothing that
// other sources compile too.

namespace notbad::ops::amx {

constexpr std::int64_t kTileRows = 16;
constexpr std::int64_t kStepInputs = 32;  // of a row of a tile
constexpr std::int64_t kPanelOutputs = 32;

constexpr std::int64_t steps_of(std::int64_t in_features) {
  return (in_features + kStepInputs - 1) / kStepInputs;
}

// BF16 numbers of 16 rows, in the order in which tiles take them: [steps, parts, 16, 32].
constexpr std::int64_t tile_row_size(std::int64_t in_features, std::int64_t num_parts) {
  return steps_of(in_features) * num_parts * kTileRows * kStepInputs;
}

// A panel of 32 outputs: [steps, 2 halves, 16 pairs of inputs, 16 outputs, 2].
constexpr std::int64_t panel_size(std::int64_t in_features) {
  return steps_of(in_features) * kStepInputs * kPanelOutputs;
}

// Where the weight of `input` and `output` stands in its panel; what no weight fills must be zero.
constexpr std::int64_t place_in_panel(std::int64_t input, std::int64_t output) {
  constexpr std::int64_t kHalf = kPanelOutputs / 2;
  const std::int64_t half = (input / kStepInputs * 2 + output / kHalf) * kHalf * kStepInputs;
  return half + input % kStepInputs / 2 * 2 * kHalf + output % kHalf * 2 + input % 2;
}

// x [rows, in] as BF16 numbers: the nearest where `num_parts` is 1, or where it is 3 those whose
// sum is x, the largest first, eight bits of its significand each. `parts`: tile_row_size() for
// every 16 rows.
void split_rows(const float* x, std::int64_t rows, std::int64_t in_features, std::int64_t num_parts,
                std::uint16_t* parts);

struct Block {
  const std::uint16_t* parts;  // of `rows` rows, by split_rows()
  std::int64_t rows;           // at least 1
  std::int64_t num_parts;
  std::int64_t in_features;
  const std::uint16_t* panels;  // [num_panels], each [panel_size()]
  const float* bias;            // [num_panels * 32]
  std::int64_t num_panels;
  float* y;  // [rows, num_panels * 32]
  std::int64_t y_stride;
};

// y = x Wᵀ + b. Every sum starts at the bias and takes its products in the order of the inputs,
// step by step and part by part within a step, whatever the number of rows.
void multiply(const Block& block);

}  // namespace notbad::ops::amx
