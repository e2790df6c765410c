#include "core/ops/embedding.h"

#include "core/base/check.h"

namespace notbad::ops {

void embed(std::span<const std::int32_t> ids, ConstMatrixView tokens, ConstMatrixView positions,
           MatrixView y) {
  check(y.rows() == static_cast<std::int64_t>(ids.size()) && y.cols() == tokens.cols() &&
            y.cols() == positions.cols(),
        [&] { return "embed: expected y [T, D], found " + y.shape().to_string(); });
  for (std::int64_t t = 0; t < y.rows(); ++t) {
    const auto token = tokens.row(ids[static_cast<std::size_t>(t)]);  // [D]
    const auto position = positions.row(t);                           // [D]
    const auto sum = y.row(t);                                        // [D]
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = token[i] + position[i];
  }
}

}  // namespace notbad::ops
