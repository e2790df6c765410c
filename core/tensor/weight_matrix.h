#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "core/tensor/shape.h"
#include "core/tensor/tensor.h"

namespace notbad {

// Weights [..., cols] in two bytes each where all of them are BF16 values, else in float32.
// Immutable.
class WeightMatrix {
 public:
  // Implicit, since every tensor is one. An empty one has no values.
  WeightMatrix(const Tensor& values);

  // BF16, row by row; their number must fit the shape.
  WeightMatrix(const Shape& shape, std::vector<std::uint16_t> values);

  // The same without a copy: whoever has the values keeps them for as long as this lives.
  static WeightMatrix borrowing(const Shape& shape, std::span<const std::uint16_t> values);

  // A copy that has its values itself.
  WeightMatrix owning() const;

  const Shape& shape() const { return shape_; }
  std::int64_t dim(std::int64_t index) const { return shape_.dim(index); }
  bool is_bf16() const { return !std::holds_alternative<Floats>(values_); }

  // Row by row; only the one of the two that it is stored in.
  std::span<const std::uint16_t> bf16() const {
    if (const auto* const borrowed = std::get_if<BorrowedBf16>(&values_)) return *borrowed;
    return std::get<Bf16>(values_);
  }
  std::span<const float> floats() const { return std::get<Floats>(values_); }

  // A copy in float32, which loses nothing.
  Tensor widened() const;

 private:
  using Bf16 = std::vector<std::uint16_t>;
  using BorrowedBf16 = std::span<const std::uint16_t>;
  using Floats = std::vector<float>;

  using Values = std::variant<Bf16, BorrowedBf16, Floats>;

  WeightMatrix(const Shape& shape, Values values);

  Shape shape_;
  Values values_;
};

}  // namespace notbad
