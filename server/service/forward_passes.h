#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/model/forward_options.h"
#include "core/model/model_config.h"
#include "server/service/batcher.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// One sequence through the model, with options of its own: a piece of an experiment.
struct ForwardPass {
  std::vector<std::int32_t> ids;  // [T], not empty
  model::ForwardOptions options{};
};

// The ids of all tokens, as the model reads them: [T].
std::vector<std::int32_t> ids_of(const tokenizer::Encoding& encoding);

// Every layer and head of the model.
model::AttentionSelection every_head(const model::ModelConfig& config);

// The tokens of all passes together: what they cost.
std::int64_t count_tokens(std::span<const ForwardPass> passes);

// Runs the passes in the batcher, packed with each other and with what else waits there. A bounded
// number of tokens is queued at a time, so that a large experiment leaves room for other requests.
// One answer a pass, in order. What is left is not computed once the deadline has passed or the
// caller has left, see Job. Fails as Batcher::submit() and Ticket::wait() do, and with kNonFinite
// where a logit is not a finite number.
Result<std::vector<SequenceAnswer>> run_passes(Batcher& batcher, std::vector<ForwardPass> passes,
                                               Clock::time_point deadline,
                                               const std::function<bool()>& has_caller_left);

}  // namespace notbad::service
