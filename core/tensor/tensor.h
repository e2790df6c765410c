#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/matrix_view.h"
#include "core/tensor/shape.h"

namespace notbad {

// Owns a row-major array of floats. Copies are deep and explicit to the eye; views of it live no
// longer than it does.
class Tensor {
 public:
  Tensor() = default;  // nothing: is_empty()

  // All zeros.
  explicit Tensor(const Shape& shape);

  // Takes the values over; their number must fit the shape.
  Tensor(const Shape& shape, std::vector<float> values);

  const Shape& shape() const { return shape_; }
  std::int64_t dim(std::int64_t index) const { return shape_.dim(index); }
  bool is_empty() const { return values_.empty(); }

  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  std::span<float> values() { return values_; }
  std::span<const float> values() const { return values_; }

  // The whole as a matrix: the innermost size is the columns, everything outside it the rows.
  MatrixView matrix();
  ConstMatrixView matrix() const;

 private:
  Shape shape_;
  std::vector<float> values_;
};

}  // namespace notbad
