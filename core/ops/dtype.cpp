#include "core/ops/dtype.h"

#include <algorithm>

#include "core/ops/processor.h"

namespace notbad::ops {

std::string_view name_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF32:
      return "f32";
    case Dtype::kBf16:
      return "bf16";
    case Dtype::kInt8:
      break;
  }
  return "int8";
}

std::optional<Dtype> dtype_named(std::string_view name) {
  const auto* const found = std::ranges::find(kDtypes, name, name_of);
  if (found == kDtypes.end()) return std::nullopt;
  return *found;
}

bool is_supported(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF32:
      return true;
    case Dtype::kBf16:
      return processor_has(Instructions::kAvx512Bf16);
    case Dtype::kInt8:
      break;
  }
  return processor_has(Instructions::kAvx512Vnni);
}

Dtype fastest_dtype() {
  // With tiles, BF16 is as fast as int8 and moves fewer labels; without, slower than float32.
  if (is_supported(Dtype::kBf16) && processor_has(Instructions::kAmx)) return Dtype::kBf16;
  return is_supported(Dtype::kInt8) ? Dtype::kInt8 : Dtype::kF32;
}

}  // namespace notbad::ops
