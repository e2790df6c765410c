#include "core/ops/masked_softmax.h"

#include <limits>
#include <span>

#include "core/base/check.h"
#include "core/ops/rows/row_kernel.h"

namespace notbad::ops {
namespace {

void forbid(std::span<float> scores, std::span<const float> mask_row) {
  for (std::size_t key = 0; key < scores.size(); ++key) {
    if (mask_row[key] == 0.0F) scores[key] = -std::numeric_limits<float>::infinity();
  }
}

}  // namespace

void masked_softmax(MatrixView scores, std::optional<ConstMatrixView> mask) {
  check(!mask || (mask->cols() == scores.cols() && mask->rows() > 0 &&
                  scores.rows() % mask->rows() == 0),
        [&] {
          return "masked_softmax: expected a mask for scores " + scores.shape().to_string() +
                 ", found " + mask->shape().to_string();
        });
  const rows::RowKernel& kernel = rows::fastest_row_kernel();
  for (std::int64_t row = 0; row < scores.rows(); ++row) {
    const auto values = scores.row(row);
    if (mask) forbid(values, mask->row(row % mask->rows()));
    kernel.softmax(values.data(), scores.cols());
  }
}

}  // namespace notbad::ops
