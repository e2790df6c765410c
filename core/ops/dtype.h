#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace notbad::ops {

// What the products of the encoder's linear layers are computed in. Everything else is float32:
// attention, norms, sums, and what reads the encoder.
enum class Dtype { kF32, kBf16, kInt8 };

inline constexpr std::array kDtypes = {Dtype::kF32, Dtype::kBf16, Dtype::kInt8};

// How many bits an input of a layer in kInt8 is rounded to. A second byte costs another product and
// is worth it where a layer's inputs spread widely, or where small errors move a softmax.
enum class InputBits { k8, k16 };

// "f32", "bf16", "int8"
std::string_view name_of(Dtype dtype);

// The one of that name, if there is one.
std::optional<Dtype> dtype_named(std::string_view name);

// kBf16 needs AVX512-BF16, kInt8 AVX512-VNNI: without them both would be slower than kF32.
bool is_supported(Dtype dtype);

// The fastest that is supported.
Dtype fastest_dtype();

}  // namespace notbad::ops
