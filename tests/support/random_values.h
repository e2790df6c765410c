#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/tensor/tensor.h"

namespace notbad::testing {

// `count` values in [-scale, scale) from a splitmix64 stream: seeded and distinct, and the same
// that weights/training makes, so that large golden inputs need not be stored.
inline std::vector<float> random_values(std::uint64_t seed, std::int64_t count,
                                        float scale = 1.0F) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count));
  std::uint64_t state = seed;
  for (std::int64_t i = 0; i < count; ++i) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    values.push_back((static_cast<float>(z >> 40U) * 0x1p-23F - 1.0F) * scale);
  }
  return values;
}

inline Tensor random_tensor(std::uint64_t seed, const Shape& shape, float scale = 1.0F) {
  return {shape, random_values(seed, shape.num_elements(), scale)};
}

// The same without the lower half of each value's bits: values that BF16 holds, as shipped matrices
// are.
inline Tensor random_bf16_tensor(std::uint64_t seed, const Shape& shape, float scale = 1.0F) {
  Tensor tensor = random_tensor(seed, shape, scale);
  for (float& value : tensor.values()) {
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xFFFF0000U);
  }
  return tensor;
}

}  // namespace notbad::testing
