#include "core/tensor/tensor.h"

#include <utility>

#include "core/base/check.h"

namespace notbad {

Tensor::Tensor(const Shape& shape)
    : shape_(shape), values_(static_cast<std::size_t>(shape.num_elements())) {}

Tensor::Tensor(const Shape& shape, std::vector<float> values)
    : shape_(shape), values_(std::move(values)) {
  check(shape_.num_elements() == static_cast<std::int64_t>(values_.size()), [&] {
    return "Tensor: expected values for " + shape_.to_string() + ", found " +
           std::to_string(values_.size());
  });
}

MatrixView Tensor::matrix() {
  if (is_empty()) return {nullptr, 0, 0};
  return {data(), shape_.num_elements() / shape_.dim(-1), shape_.dim(-1)};
}

ConstMatrixView Tensor::matrix() const {
  if (is_empty()) return {nullptr, 0, 0};
  return {data(), shape_.num_elements() / shape_.dim(-1), shape_.dim(-1)};
}

}  // namespace notbad
