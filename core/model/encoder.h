#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/embeddings.h"
#include "core/model/encoder_layer.h"
#include "core/model/forward_options.h"
#include "core/model/model_config.h"
#include "core/model/negation_tagger.h"
#include "core/model/weight_store.h"
#include "core/model/workspace.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

struct EncoderResult {
  ConstMatrixView hidden;         // [ΣT, D], in the workspace until the next pass
  std::vector<Tensor> attention;  // a sequence each: [layers asked, heads asked, T, T] or empty
  std::vector<std::optional<NegationTags>> negation;  // a sequence each, where asked for
};

// Embeddings, then L layers; one of them may have a tagger that reads its output. Immutable; any
// number of threads, each with its own workspace.
class Encoder {
 public:
  Encoder(const WeightStore& weights, const ModelConfig& config, ops::Dtype dtype);

  void prepare_rows(std::int64_t rows, Workspace& workspace) const;

  // The caller has checked ids, lengths and options against the config.
  EncoderResult forward(std::span<const SequenceInput> batch, Workspace& workspace) const;

 private:
  Embeddings embeddings_;
  std::vector<EncoderLayer> layers_;  // L
  std::optional<NegationTagger> tagger_;
  std::int64_t tagged_layer_ = 0;  // whose output tagger_ reads
};

}  // namespace notbad::model
