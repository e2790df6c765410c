#include "core/ops/embedding.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/tensor/bf16.h"

namespace notbad::ops {

EmbeddingTable::EmbeddingTable(Tensor rows) : num_rows_(rows.dim(0)), dim_(rows.dim(1)) {
  if (!std::ranges::all_of(rows.values(), is_bf16)) {
    floats_ = std::move(rows);
    return;
  }
  bf16_.resize(rows.values().size());
  std::ranges::transform(rows.values(), bf16_.begin(), bf16_bits);
}

void EmbeddingTable::add_row(std::int64_t index, std::span<float> sum) const {
  check(index >= 0 && index < num_rows_ && std::ssize(sum) == dim_,
        "EmbeddingTable: row out of range");
  if (!floats_.is_empty()) {
    const auto row = floats_.matrix().row(index);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row[i];
    return;
  }
  const std::uint16_t* const row = bf16_.data() + index * dim_;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += float_of_bf16(row[i]);
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
