#include "core/ops/elementwise.h"

#include <algorithm>

#include "core/base/check.h"

namespace notbad::ops {

void add_in_place(MatrixView x, ConstMatrixView y) {
  check(x.shape() == y.shape() && x.is_contiguous() && y.is_contiguous(), [&] {
    return "add_in_place: expected y " + x.shape().to_string() + ", found " + y.shape().to_string();
  });
  float* const sum = x.data();
  const float* const addend = y.data();
  const std::int64_t count = x.rows() * x.cols();
  for (std::int64_t i = 0; i < count; ++i) sum[i] += addend[i];
}

void mean_over_rows(ConstMatrixView x, std::span<float> mean) {
  check(x.rows() > 0 && x.cols() == static_cast<std::int64_t>(mean.size()),
        [&] { return "mean_over_rows: expected x [T, D], found " + x.shape().to_string(); });
  std::fill(mean.begin(), mean.end(), 0.0F);
  for (std::int64_t t = 0; t < x.rows(); ++t) {
    const auto row = x.row(t);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += row[i];
  }
  const float scale = 1.0F / static_cast<float>(x.rows());
  for (float& value : mean) value *= scale;
}

}  // namespace notbad::ops
