#include "core/tensor/shape.h"

#include <algorithm>

#include "core/base/check.h"

namespace notbad {

Shape::Shape(std::initializer_list<std::int64_t> dims)
    : rank_(static_cast<std::int64_t>(dims.size())) {
  check(rank_ <= kMaxRank, "Shape: more dimensions than kMaxRank");
  check(std::all_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim >= 0; }),
        "Shape: a dimension is negative");
  std::copy(dims.begin(), dims.end(), dims_.begin());
}

std::int64_t Shape::dim(std::int64_t index) const {
  const std::int64_t from_start = index < 0 ? index + rank_ : index;
  check(from_start >= 0 && from_start < rank_,
        [&] { return "Shape: " + to_string() + " has no dimension " + std::to_string(index); });
  return dims_[static_cast<std::size_t>(from_start)];
}

std::int64_t Shape::num_elements() const {
  if (rank_ == 0) return 0;
  std::int64_t product = 1;
  for (std::int64_t i = 0; i < rank_; ++i) product *= dims_[static_cast<std::size_t>(i)];
  return product;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (std::int64_t i = 0; i < rank_; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims_[static_cast<std::size_t>(i)]);
  }
  return text + "]";
}

}  // namespace notbad
