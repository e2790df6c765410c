#pragma once

#include <cstdint>

// Compiled for AVX-512, so it includes nothing that other sources compile too. Callable where the
// processor has it.

namespace notbad::ops::int8 {

// Weights: q[i] = round(x[i] / scale), symmetric, with the scale that takes the largest |x| or
// `limit`, whichever is less, to 127, and what is larger too; returns that scale.
float quantize_weights(const float* x, std::int64_t count, float limit, std::int8_t* q);

// What a row was quantized by: x[i] is about q[i] * scale + offset.
struct RowScaling {
  float scale;
  float offset;
};

// A row as bytes: `first`, and what the first byte leaves of each value as `second`, unless null.
struct RowBytes {
  std::uint8_t* first;
  std::uint8_t* second;
};

// Inputs: first[i] = round((x[i] - offset) / scale), from 0 for the least to 255 for the largest,
// so that nothing is lost where values lean to one side, as after GELU. The rest, within half a
// step, is divided into 255 steps again. Every row has its own scale, so an answer depends on no
// other row of its batch. Values that are not finite give a scale or offset that is not.
RowScaling quantize_inputs(const float* x, std::int64_t count, const RowBytes& q);

// What each output needs to become a float again, [out] each.
struct OutputScaling {
  const float* scale;       // of its weights
  const float* weight_sum;  // of its quantized weights, times the scale
  const float* bias;
};

// Sums of products of quantized numbers: of the first bytes, and of the second unless null.
struct RowSums {
  const float* first;
  const float* second;
};

// y[i]: the sum of what the numbers stand for, plus bias.
void rescale(const RowSums& sums, std::int64_t count, RowScaling row, const OutputScaling& output,
             float* y);

}  // namespace notbad::ops::int8
