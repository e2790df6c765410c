#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/feed_forward.h"
#include "core/model/model_config.h"
#include "core/model/multi_head_attention.h"
#include "core/model/weight_store.h"
#include "core/model/workspace.h"
#include "core/ops/layer_norm.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

// Attention, then feed-forward, each added to its input and normalised after that (post-norm).
// Immutable; any number of threads, each with its own workspace.
class EncoderLayer {
 public:
  // Takes the weights of layer `index` out of a store that was opened with the config's list.
  EncoderLayer(const WeightStore& weights, const ModelConfig& config, std::int64_t index,
               ops::Dtype dtype = ops::Dtype::kF32);

  void prepare_rows(std::int64_t rows, Workspace& workspace) const;

  // x [ΣT, D] becomes the layer's output in place. Returns the attention weights as
  // AttentionResult::weights does.
  std::vector<Tensor> forward(MatrixView x, std::span<const AttentionRequest> requests,
                              Workspace& workspace) const;

 private:
  MultiHeadAttention attention_;
  ops::LayerNorm attention_norm_;
  FeedForward feed_forward_;
  ops::LayerNorm feed_forward_norm_;
};

}  // namespace notbad::model
