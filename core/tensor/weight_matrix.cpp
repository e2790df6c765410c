#include "core/tensor/weight_matrix.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/prefault.h"
#include "core/tensor/bf16.h"

namespace notbad {

WeightMatrix::WeightMatrix(const Tensor& values) : shape_(values.shape()) {
  const auto floats = values.values();
  if (!std::ranges::all_of(floats, notbad::is_bf16)) {
    values_.emplace<Floats>(floats.begin(), floats.end());
    return;
  }
  auto& bf16 = values_.emplace<Bf16>(floats.size());
  std::ranges::transform(floats, bf16.begin(), bf16_bits);
}

WeightMatrix::WeightMatrix(const Shape& shape, std::vector<std::uint16_t> values)
    : WeightMatrix(shape, Values(std::move(values))) {}

WeightMatrix::WeightMatrix(const Shape& shape, Values values)
    : shape_(shape), values_(std::move(values)) {
  check(shape_.num_elements() == std::ssize(bf16()), [&] {
    return "WeightMatrix: expected values for " + shape_.to_string() + ", found " +
           std::to_string(bf16().size());
  });
}

WeightMatrix WeightMatrix::borrowing(const Shape& shape, std::span<const std::uint16_t> values) {
  return {shape, Values(values)};
}

WeightMatrix WeightMatrix::owning() const {
  if (!std::holds_alternative<BorrowedBf16>(values_)) return *this;
  Bf16 copy;
  copy.reserve(bf16().size());
  prefault(copy.data(), bf16().size_bytes());
  copy.assign(bf16().begin(), bf16().end());
  return {shape_, std::move(copy)};
}

Tensor WeightMatrix::widened() const {
  if (!is_bf16()) return {shape_, {floats().begin(), floats().end()}};
  std::vector<float> values(bf16().size());
  std::ranges::transform(bf16(), values.begin(), float_of_bf16);
  return {shape_, std::move(values)};
}

}  // namespace notbad
