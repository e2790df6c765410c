#pragma once

#include <cstdint>

#include "core/model/model_config.h"
#include "core/model/negation_tags.h"
#include "core/model/weight_store.h"
#include "core/model/workspace.h"
#include "core/ops/linear.h"
#include "core/tensor/matrix_view.h"

namespace notbad::model {

// Finds cues of negation and their scopes in the state that one encoder layer hands on: the class
// of a token by a linear layer, scope by q kᵀ / sqrt(R), a score of token and cue that is made as
// attention's are but goes through no softmax. After the biaffine scorer of Dozat and Manning,
// "Deep Biaffine Attention for Neural Dependency Parsing", 2017. Immutable; any number of threads,
// each with its own workspace.
class NegationTagger {
 public:
  NegationTagger(const WeightStore& weights, const TaggerConfig& config);

  void prepare_rows(std::int64_t rows, Workspace& workspace) const;

  // hidden [ΣT, D] of a packed batch -> [ΣT, 3 + 2R], a row a token: cue logits, query and key. In
  // the workspace until the next pass.
  MatrixView project(ConstMatrixView hidden, Workspace& workspace) const;

  // projected [T, 3 + 2R], the rows of one sequence among those of project().
  NegationTags tag(ConstMatrixView projected, Workspace& workspace) const;

 private:
  std::int64_t rank_;       // R
  ops::Linear projection_;  // [D, 3 + 2R]
};

}  // namespace notbad::model
