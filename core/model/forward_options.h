#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/interventions.h"
#include "core/model/negation_tags.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

// The attention maps that a forward pass hands back: every listed head of every listed layer, in
// the order of the lists. Either list empty means none, and the pass then keeps no map at all.
struct AttentionSelection {
  std::vector<std::int64_t> layers;
  std::vector<std::int64_t> heads;
  bool is_empty() const { return layers.empty() || heads.empty(); }
};

// What one sequence of a batch asks for besides its logits; it touches no other sequence.
struct ForwardOptions {
  AttentionSelection attention;
  std::vector<Intervention> interventions;
  std::optional<Tensor> mask;   // [T, T], row = from; 0 forbids the link, anything else allows it
  bool wants_negation = false;  // SequenceOutput::negation, of a model that has a tagger
};

// One sequence of a batch. Both members are borrowed for the call.
struct SequenceInput {
  std::span<const std::int32_t> ids;  // [T], each in [0, V)
  const ForwardOptions& options;
};

struct SequenceOutput {
  std::vector<float> logits;         // [C]
  std::vector<float> probabilities;  // [C], softmax of the logits
  std::vector<float> pooled;         // [D]
  Tensor attention;                  // [layers asked, heads asked, T, T], empty unless asked for
  std::optional<NegationTags> negation;  // none unless asked for and the model has a tagger
};

}  // namespace notbad::model
