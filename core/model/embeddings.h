#pragma once

#include <cstdint>
#include <span>

#include "core/model/forward_options.h"
#include "core/model/model_config.h"
#include "core/model/weight_store.h"
#include "core/model/workspace.h"
#include "core/ops/embedding.h"
#include "core/ops/layer_norm.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

// A row for every token: what it is plus where it stands, normalised.
// Immutable; any number of threads, each with its own workspace.
class Embeddings {
 public:
  Embeddings(const WeightStore& weights, const ModelConfig& config);

  // The packed batch, one sequence after the other without padding: row_bucket(ΣT) rows of D, of
  // which those past ΣT belong to no sequence and are finite. In the workspace until the next pass.
  MatrixView forward(std::span<const SequenceInput> batch, Workspace& workspace) const;

 private:
  ops::EmbeddingTable tokens_;  // [V, D]
  Tensor positions_;            // [max_positions, D]
  ops::LayerNorm norm_;
};

}  // namespace notbad::model
