#pragma once

#include <span>
#include <vector>

#include "core/model/model_config.h"
#include "server/service/batcher.h"
#include "server/service/forward_passes.h"

namespace notbad::service {

// `pass` once for every head of the model, with that head off on top of its own interventions and
// without its maps: L * H passes, layer by layer.
std::vector<ForwardPass> passes_without_each_head(const ForwardPass& pass,
                                                  const model::ModelConfig& config);

// f(with) - f(head off) of every head, in the order of the passes above. `with` is the answer to
// the pass itself, `off` holds the answers without each head. Of models with two labels.
std::vector<float> head_effects(const model::SequenceOutput& with,
                                std::span<const SequenceAnswer> off);

}  // namespace notbad::service
