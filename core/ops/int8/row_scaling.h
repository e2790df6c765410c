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
// In runs of 64 that begin `run_stride` bytes after one another.
struct RowBytes {
  static constexpr std::int64_t kRun = 64;

  std::uint8_t* first;
  std::uint8_t* second;
  std::int64_t run_stride = kRun;
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

  OutputScaling from(std::int64_t output) const {
    return {scale + output, weight_sum + output, bias + output};
  }
};

// Sums of products of quantized numbers [rows, outputs]: of the first bytes, and of the second
// unless null.
struct Sums {
  const std::int32_t* first;
  const std::int32_t* second;
  std::int64_t rows;
  std::int64_t outputs;
};

// y [rows, outputs]: the sums of what the numbers stand for, plus bias. `scalings`: [rows].
void rescale(const Sums& sums, const RowScaling* scalings, const OutputScaling& outputs, float* y,
             std::int64_t y_stride);

}  // namespace notbad::ops::int8
