#include "core/model/encoder.h"

#include <algorithm>
#include <utility>

namespace notbad::model {
namespace {

// One sequence after the other, each attending to itself only.
void place_sequences(std::span<const SequenceInput> batch,
                     std::vector<AttentionRequest>& requests) {
  requests.clear();
  std::int64_t begin = 0;
  for (const SequenceInput& sequence : batch) {
    const RowRange rows{begin, std::ssize(sequence.ids)};
    const ForwardOptions& options = sequence.options;
    requests.push_back({.queries = rows,
                        .keys = rows,
                        .mask = options.mask ? &*options.mask : nullptr,
                        .interventions = options.interventions,
                        .captured_heads = {}});
    begin += rows.length;
  }
}

void enter_layer(std::int64_t layer, std::span<const SequenceInput> batch,
                 std::vector<AttentionRequest>& requests) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const AttentionSelection& asked = batch[i].options.attention;
    const bool is_asked =
        std::find(asked.layers.begin(), asked.layers.end(), layer) != asked.layers.end();
    requests[i].layer = layer;
    requests[i].captured_heads =
        is_asked ? std::span(asked.heads) : std::span<const std::int64_t>();
  }
}

// Puts the maps [heads, T, T] of one layer where the caller listed that layer.
void keep_maps(std::int64_t layer, const SequenceInput& sequence, const Tensor& maps,
               Tensor& attention) {
  if (maps.is_empty()) return;
  const AttentionSelection& asked = sequence.options.attention;
  if (attention.is_empty()) {
    attention = Tensor({std::ssize(asked.layers), maps.dim(0), maps.dim(1), maps.dim(2)});
  }
  const auto size = static_cast<std::ptrdiff_t>(maps.values().size());
  for (std::size_t place = 0; place < asked.layers.size(); ++place) {
    if (asked.layers[place] != layer) continue;
    std::copy_n(maps.data(), size, attention.data() + static_cast<std::ptrdiff_t>(place) * size);
  }
}

void tag(const NegationTagger& tagger, ConstMatrixView x, std::span<const SequenceInput> batch,
         Workspace& workspace, std::vector<std::optional<NegationTags>>& negation) {
  const auto is_asked = [](const SequenceInput& sequence) {
    return sequence.options.wants_negation;
  };
  if (std::ranges::none_of(batch, is_asked)) return;
  const ConstMatrixView projected = tagger.project(x, workspace);  // [ΣT, 3 + 2R]
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto [begin, length] = workspace.requests[i].queries;
    if (is_asked(batch[i])) negation[i] = tagger.tag(projected.rows_from(begin, length), workspace);
  }
}

}  // namespace

Encoder::Encoder(const WeightStore& weights, const ModelConfig& config, ops::Dtype dtype)
    : embeddings_(weights, config) {
  for (std::int64_t index = 0; index < config.num_layers; ++index) {
    layers_.emplace_back(weights, config, index, dtype);
  }
  if (!config.tagger) return;
  tagger_.emplace(weights, *config.tagger);
  tagged_layer_ = config.tagger->layer;
}

void Encoder::prepare_rows(std::int64_t rows, Workspace& workspace) const {
  for (const EncoderLayer& layer : layers_) layer.prepare_rows(rows, workspace);
  if (tagger_) tagger_->prepare_rows(rows, workspace);
}

EncoderResult Encoder::forward(std::span<const SequenceInput> batch, Workspace& workspace) const {
  const MatrixView x = embeddings_.forward(batch, workspace);  // [ΣT, D]
  place_sequences(batch, workspace.requests);
  std::vector<Tensor> attention(batch.size());
  std::vector<std::optional<NegationTags>> negation(batch.size());
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const auto layer = static_cast<std::int64_t>(index);
    enter_layer(layer, batch, workspace.requests);
    const std::vector<Tensor> maps = layers_[index].forward(x, workspace.requests, workspace);
    for (std::size_t i = 0; i < maps.size(); ++i) {
      keep_maps(layer, batch[i], maps[i], attention[i]);
    }
    if (tagger_ && layer == tagged_layer_) tag(*tagger_, x, batch, workspace, negation);
  }
  return {x, std::move(attention), std::move(negation)};
}

}  // namespace notbad::model
