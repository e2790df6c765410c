#include "core/ops/embedding.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/tensor/bf16.h"

namespace notbad::ops {

void EmbeddingTable::add_row(std::int64_t index, std::span<float> sum) const {
  check(index >= 0 && index < rows_.dim(0) && std::ssize(sum) == dim(),
        "EmbeddingTable: row out of range");
  const auto begin = static_cast<std::size_t>(index) * sum.size();
  if (rows_.is_bf16()) {
    const auto row = rows_.bf16().subspan(begin, sum.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += float_of_bf16(row[i]);
    return;
  }
  const auto row = rows_.floats().subspan(begin, sum.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row[i];
}

void embed(std::span<const std::int32_t> ids, const EmbeddingTable& tokens,
           ConstMatrixView positions, MatrixView y) {
  check(y.rows() == static_cast<std::int64_t>(ids.size()) && y.cols() == tokens.dim() &&
            y.cols() == positions.cols(),
        [&] { return "embed: expected y [T, D], found " + y.shape().to_string(); });
  for (std::int64_t t = 0; t < y.rows(); ++t) {
    std::ranges::copy(positions.row(t), y.row(t).begin());  // [D]
    tokens.add_row(ids[static_cast<std::size_t>(t)], y.row(t));
  }
}

}  // namespace notbad::ops
