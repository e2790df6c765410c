#include "core/ops/masked_softmax.h"

#include <limits>
#include <span>

#include "core/base/check.h"
#include "core/ops/onednn/softmax.h"

namespace notbad::ops {
namespace {

void forbid(std::span<float> scores, std::span<const float> mask_row) {
  for (std::size_t key = 0; key < scores.size(); ++key) {
    if (mask_row[key] == 0.0F) scores[key] = -std::numeric_limits<float>::infinity();
  }
}

// Exact zeros, whatever the kernel makes of -inf: a row of nothing else is NaN until here.
void clear(std::span<float> weights, std::span<const float> mask_row) {
  for (std::size_t key = 0; key < weights.size(); ++key) {
    if (mask_row[key] == 0.0F) weights[key] = 0.0F;
  }
}

}  // namespace

void prepare_masked_softmax(std::int64_t rows, std::int64_t cols, Executor& executor) {
  onednn::prepare_softmax(rows, cols, executor);
}

void masked_softmax(MatrixView scores, std::optional<ConstMatrixView> mask, Executor& executor) {
  if (!mask) return onednn::softmax(scores, executor);
  check(mask->cols() == scores.cols() && mask->rows() > 0 && scores.rows() % mask->rows() == 0,
        [&] {
          return "masked_softmax: expected a mask for scores " + scores.shape().to_string() +
                 ", found " + mask->shape().to_string();
        });
  for (std::int64_t row = 0; row < scores.rows(); ++row) {
    forbid(scores.row(row), mask->row(row % mask->rows()));
  }
  onednn::softmax(scores, executor);
  for (std::int64_t row = 0; row < scores.rows(); ++row) {
    clear(scores.row(row), mask->row(row % mask->rows()));
  }
}

}  // namespace notbad::ops
