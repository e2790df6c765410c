#include "core/model/embeddings.h"

#include <algorithm>

#include "core/ops/row_bucket.h"

namespace notbad::model {

Embeddings::Embeddings(const WeightStore& weights, const ModelConfig& config)
    : tokens_(weights.matrix("embeddings.token.weight")),
      positions_(weights.tensor("embeddings.position.weight")),
      norm_(weights.tensor("embeddings.norm.weight"), weights.tensor("embeddings.norm.bias"),
            config.norm_eps) {}

MatrixView Embeddings::forward(std::span<const SequenceInput> batch, Workspace& workspace) const {
  std::int64_t num_rows = 0;  // ΣT
  for (const SequenceInput& sequence : batch) {
    const std::int64_t length = std::ssize(sequence.ids);
    ops::embed(sequence.ids, tokens_, positions_.matrix(),
               workspace.hidden.matrix().rows_from(num_rows, length));
    num_rows += length;
  }
  const MatrixView x = first_rows(workspace.hidden, ops::row_bucket(num_rows));
  const MatrixView tail = x.rows_from(num_rows, x.rows() - num_rows);
  std::fill_n(tail.data(), tail.rows() * tail.cols(), 0.0F);
  norm_.forward(x);
  return x;
}

}  // namespace notbad::model
