#pragma once

#include <bit>
#include <cstdint>

namespace notbad {

// BF16 is the upper half of a float32: the same sign and exponent, and seven bits of fraction.

inline bool is_bf16(float value) { return (std::bit_cast<std::uint32_t>(value) & 0xFFFFU) == 0; }

// The upper half; loses nothing where is_bf16(value).
inline std::uint16_t bf16_bits(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
}

inline float float_of_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

}  // namespace notbad
