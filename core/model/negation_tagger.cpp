#include "core/model/negation_tagger.h"

#include <algorithm>
#include <cmath>

#include "core/model/linear_weights.h"
#include "core/ops/matmul.h"

namespace notbad::model {
namespace {

ops::Linear make_projection(const WeightStore& weights) {
  const LinearWeights cue = weights.linear("tagger.cue");
  const LinearWeights query = weights.linear("tagger.query");
  const LinearWeights key = weights.linear("tagger.key");
  return fused({&cue, &query, &key});
}

}  // namespace

NegationTagger::NegationTagger(const WeightStore& weights, const TaggerConfig& config)
    : rank_(config.rank), projection_(make_projection(weights)) {}

void NegationTagger::prepare_rows(std::int64_t rows, Workspace& workspace) const {
  projection_.prepare(rows, workspace.executor);
}

MatrixView NegationTagger::project(ConstMatrixView hidden, Workspace& workspace) const {
  const MatrixView projected = first_rows(workspace.tagged, hidden.rows());  // [ΣT, 3 + 2R]
  projection_.forward(hidden, projected, workspace.executor);
  return projected;
}

NegationTags NegationTagger::tag(ConstMatrixView projected, Workspace& workspace) const {
  const std::int64_t length = projected.rows();
  NegationTags tags{Tensor({length, kNumCueClasses}), Tensor({length, length})};
  for (std::int64_t token = 0; token < length; ++token) {
    const auto logits = projected.cols_from(0, kNumCueClasses).row(token);
    std::ranges::copy(logits, tags.cue.matrix().row(token).begin());
  }
  const float scale = 1.0F / std::sqrt(static_cast<float>(rank_));
  ops::matmul_transposed(projected.cols_from(kNumCueClasses, rank_),
                         projected.cols_from(kNumCueClasses + rank_, rank_), scale,
                         tags.scope.matrix(), workspace.executor);  // [T, T]
  return tags;
}

}  // namespace notbad::model
