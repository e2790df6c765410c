#include "core/model/classifier.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/model/forward_checks.h"
#include "core/model/weight_spec.h"
#include "core/model/weight_store.h"
#include "core/model/workspace.h"
#include "core/ops/elementwise.h"
#include "core/ops/row_bucket.h"

namespace notbad::model {
namespace {

std::vector<float> softmax(std::span<const float> logits) {
  const float largest = *std::max_element(logits.begin(), logits.end());
  std::vector<float> probabilities(logits.size());
  float sum = 0.0F;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    probabilities[i] = std::exp(logits[i] - largest);
    sum += probabilities[i];
  }
  for (float& probability : probabilities) probability /= sum;
  return probabilities;
}

// hidden [T, D] of one sequence -> [D]
std::vector<float> pool(ConstMatrixView hidden, Pooling pooling) {
  const auto first = hidden.row(0);
  std::vector<float> pooled(first.begin(), first.end());
  if (pooling == Pooling::kMean) ops::mean_over_rows(hidden, pooled);
  return pooled;
}

}  // namespace

void WorkspaceDeleter::operator()(Workspace* workspace) const { delete workspace; }

Result<std::shared_ptr<const Classifier>> Classifier::load(const std::filesystem::path& directory,
                                                           ops::Dtype dtype) {
  const auto config = ModelConfig::read(directory / "config.json");
  if (!config) return tl::unexpected(config.error());
  const auto weights = WeightStore::open(directory / "model.safetensors", weight_specs(*config));
  if (!weights) return tl::unexpected(weights.error());
  ops::use_one_thread();  // packing waits at a barrier for each matrix, long where cores are busy
  return std::shared_ptr<const Classifier>(new Classifier(*config, *weights, dtype));
}

Classifier::Classifier(const ModelConfig& config, const WeightStore& weights, ops::Dtype dtype)
    : config_(config),
      dtype_(dtype),
      encoder_(weights, config, dtype),
      output_(weights.matrix("classifier.output.weight"),
              weights.tensor("classifier.output.bias")) {}

Classifier::~Classifier() = default;

WorkspacePtr Classifier::make_workspace(std::int64_t max_batch_tokens) const {
  check(max_batch_tokens >= 1, "Classifier: a workspace needs room for at least one token");
  WorkspacePtr workspace(new Workspace(config_, max_batch_tokens));
  const std::int64_t largest = ops::row_bucket(max_batch_tokens);
  for (std::int64_t rows = 1; rows <= largest; rows = ops::row_bucket(rows + 1)) {
    encoder_.prepare_rows(rows, *workspace);
  }
  output_.prepare(1, workspace->executor);
  return workspace;
}

std::vector<SequenceOutput> Classifier::forward(std::span<const SequenceInput> batch,
                                                Workspace& workspace) const {
  check_batch(batch, config_, workspace.max_rows());
  if (batch.empty()) return {};
  ops::use_one_thread();  // the workspace may come from another thread
  EncoderResult encoded = encoder_.forward(batch, workspace);
  std::vector<SequenceOutput> outputs(batch.size());
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::int64_t length = std::ssize(batch[i].ids);
    outputs[i] = classify(encoded.hidden.rows_from(begin, length), workspace);
    outputs[i].attention = std::move(encoded.attention[i]);
    outputs[i].negation = std::move(encoded.negation[i]);
    begin += length;
  }
  return outputs;
}

SequenceOutput Classifier::classify(ConstMatrixView hidden, Workspace& workspace) const {
  SequenceOutput output;
  output.pooled = pool(hidden, config_.pooling);  // [D]
  output.logits.resize(static_cast<std::size_t>(config_.num_labels));
  output_.forward({output.pooled.data(), 1, config_.d_model},
                  {output.logits.data(), 1, config_.num_labels}, workspace.executor);  // [C]
  output.probabilities = softmax(output.logits);
  return output;
}

}  // namespace notbad::model
