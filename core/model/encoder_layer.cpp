#include "core/model/encoder_layer.h"

#include <optional>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/model/weight_spec.h"
#include "core/ops/elementwise.h"

namespace notbad::model {
namespace {

MultiHeadAttention make_attention(const WeightStore& weights, const ModelConfig& config,
                                  std::int64_t index, ops::Dtype dtype) {
  const std::string name = layer_prefix(index) + "attention";
  std::optional<std::int64_t> resting_head;
  if (config.negation_head && config.negation_head->layer == index) {
    resting_head = config.negation_head->head;
  }
  auto attention = MultiHeadAttention::self_attention({.query = weights.linear(name + ".query"),
                                                       .key = weights.linear(name + ".key"),
                                                       .value = weights.linear(name + ".value"),
                                                       .output = weights.linear(name + ".output")},
                                                      config.num_heads, resting_head, dtype);
  check(attention.has_value(), [&] { return "EncoderLayer: " + attention.error().message; });
  return std::move(*attention);
}

ops::LayerNorm make_norm(const WeightStore& weights, const std::string& name, float epsilon) {
  return {weights.tensor(name + ".weight"), weights.tensor(name + ".bias"), epsilon};
}

}  // namespace

EncoderLayer::EncoderLayer(const WeightStore& weights, const ModelConfig& config,
                           std::int64_t index, ops::Dtype dtype)
    : attention_(make_attention(weights, config, index, dtype)),
      attention_norm_(make_norm(weights, layer_prefix(index) + "attention_norm", config.norm_eps)),
      feed_forward_(weights.linear(layer_prefix(index) + "feed_forward.up"),
                    weights.linear(layer_prefix(index) + "feed_forward.down"), dtype),
      feed_forward_norm_(
          make_norm(weights, layer_prefix(index) + "feed_forward_norm", config.norm_eps)) {}

void EncoderLayer::prepare_rows(std::int64_t rows, Workspace& workspace) const {
  attention_.prepare_rows(rows, workspace);
  feed_forward_.prepare_rows(rows, workspace);
}

std::vector<Tensor> EncoderLayer::forward(MatrixView x, std::span<const AttentionRequest> requests,
                                          Workspace& workspace) const {
  AttentionResult attended = attention_.forward(x, requests, workspace);
  ops::add_in_place(x, attended.output);
  attention_norm_.forward(x);
  ops::add_in_place(x, feed_forward_.forward(x, workspace));
  feed_forward_norm_.forward(x);
  return std::move(attended.weights);
}

}  // namespace notbad::model
