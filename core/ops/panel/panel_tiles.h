#pragma once

#include <cstdint>

#include "core/ops/panel/panel_kernel.h"

// Included once by each instruction set's source, after its own `Lanes`: the name is internal to
// that source, and so is everything made with it.

namespace notbad::ops::panel {

// Bytes that are asked for ahead of use: the next level of memory is some 200 ns away.
constexpr std::int64_t kPrefetchBytes = 4096;
constexpr int kCacheLine = 64;

// Inputs a turn of the loop, so that moving pointers costs little beside the products.
constexpr int kUnrolled = 2;

struct Bf16Weights {
  using Stored = std::uint16_t;
};
struct FloatWeights {
  using Stored = float;
};

// Every sum starts at the bias and takes its products in the order of the inputs.
template <class Lanes, class Weights, int kRows>
void multiply_tile(const Tile& tile) {
  using Floats = typename Lanes::Floats;
  constexpr std::int64_t kWidth = 2 * Lanes::kCount;
  Floats sums[kRows][2];  // registers
  for (int row = 0; row < kRows; ++row) {
    sums[row][0] = Lanes::load(tile.bias);
    sums[row][1] = Lanes::load(tile.bias + Lanes::kCount);
  }
  const auto* weights = static_cast<const typename Weights::Stored*>(tile.panel);
  constexpr int kStep = kWidth * sizeof(*weights);  // bytes an input
  const float* x = tile.x;
  const auto take_input = [&](int offset) {
    const auto [low, high] = Lanes::load_pair(weights + offset * kWidth);
    for (int row = 0; row < kRows; ++row) {
      const Floats value = Lanes::repeat(x[row * tile.x_stride + offset]);
      sums[row][0] = Lanes::multiply_add(value, low, sums[row][0]);
      sums[row][1] = Lanes::multiply_add(value, high, sums[row][1]);
    }
  };
  std::int64_t left = tile.depth;
  for (; left >= kUnrolled; left -= kUnrolled, x += kUnrolled, weights += kUnrolled * kWidth) {
    for (int byte = 0; byte < kUnrolled * kStep; byte += kCacheLine) {
      Lanes::prefetch(reinterpret_cast<const char*>(weights) + kPrefetchBytes + byte);
    }
    for (int offset = 0; offset < kUnrolled; ++offset) take_input(offset);
  }
  for (; left > 0; --left, ++x, weights += kWidth) take_input(0);
  for (int row = 0; row < kRows; ++row) {
    Lanes::store(tile.y + row * tile.y_stride, sums[row][0]);
    Lanes::store(tile.y + row * tile.y_stride + Lanes::kCount, sums[row][1]);
  }
}

}  // namespace notbad::ops::panel
