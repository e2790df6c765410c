#include "server/service/head_effects.h"

#include "server/service/evidence.h"

namespace notbad::service {

std::vector<ForwardPass> passes_without_each_head(const ForwardPass& pass,
                                                  const model::ModelConfig& config) {
  std::vector<ForwardPass> passes;
  for (std::int64_t layer = 0; layer < config.num_layers; ++layer) {
    for (std::int64_t head = 0; head < config.num_heads; ++head) {
      ForwardPass& off = passes.emplace_back(pass);
      off.options.attention = {};
      off.options.interventions.emplace_back(model::HeadOff{layer, head});
    }
  }
  return passes;
}

std::vector<float> head_effects(const model::SequenceOutput& with,
                                std::span<const SequenceAnswer> off) {
  std::vector<float> effects;
  for (const SequenceAnswer& answer : off)
    effects.push_back(evidence(with.logits) - evidence(answer.output.logits));
  return effects;
}

}  // namespace notbad::service
