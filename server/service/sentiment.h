#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/model/forward_options.h"
#include "core/tensor/tensor.h"
#include "server/service/batcher.h"
#include "server/service/negation_cues.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

enum class Truncate { kRight, kLeft, kError };  // what becomes of a text over the token limit
// kEffects: what the cues and the heads do to the answer as well, at the price of further passes.
enum class Negation { kNone, kCues, kEffects };
enum class AttentionMode { kNone, kSummary, kFull };

struct ClassifyOptions {
  Truncate truncate = Truncate::kRight;
  Negation negation = Negation::kNone;
  AttentionMode attention = AttentionMode::kNone;
  // Indices in range, no list empty unless the mode is kNone. kSummary: exactly the last layer.
  model::AttentionSelection maps{};
  // Layers and heads in range; the tokens of a CutLink are checked against each text.
  std::vector<model::Intervention> interventions{};
  Clock::time_point deadline = Clock::time_point::max();
  std::function<bool()> has_caller_left = nullptr;  // see Job
};

struct ClassifyRequest {
  std::vector<std::string> inputs;
  ClassifyOptions options{};
};

// The answer to a text without the words of one of its cues.
struct AnswerWithoutCue {
  std::int64_t label = 0;
  float score = 0;  // the probability of the label
};

// What one head has to do with the first cue of a text.
struct HeadEffect {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  float attention = 0;  // from the cue's target to the cue, in [0, 1]; see attention_scores()
  float baseline = 0;   // what the head gives at that distance elsewhere, in [0, 1]
  float effect = 0;     // f(text) - f(text with the head off), f = z_pos - z_neg
};

struct NegationEffects {
  // Of each cue; none where nothing is left to read.
  std::vector<std::optional<AnswerWithoutCue>> without;
  // All heads, the largest attention over its baseline first; empty without a cue or a target.
  std::vector<HeadEffect> heads;
};

// The answer for one text.
struct Sentiment {
  std::int64_t label = 0;                   // index of the largest probability
  std::vector<float> probabilities;         // [C]
  std::vector<float> logits;                // [C]
  tokenizer::Encoding encoding;             // T tokens
  std::vector<NegationCue> cues;            // empty with Negation::kNone
  CueSource cue_source = CueSource::kList;  // kModel where the model has a tagger
  std::optional<NegationEffects> effects;   // with Negation::kEffects
  Tensor attention;                         // [layers, heads, T, T] with kFull, else nothing
  Tensor received;                          // [heads, T] with kSummary, else nothing; rows sum to 1
};

struct Timings {
  std::chrono::nanoseconds tokenize{};  // all texts
  std::chrono::nanoseconds queue{};     // the text that waited longest
  // The slowest batch that carried one of the texts, and all of the experiments of kEffects.
  std::chrono::nanoseconds compute{};
};

struct ClassifyAnswer {
  std::vector<Sentiment> results;  // one an input, in order
  std::int64_t tokens = 0;         // of all results
  Timings timings;
  std::shared_ptr<const void> map_place{};  // to be held while the maps are anywhere in memory
};

enum class RequestPart { kInput, kCutFrom, kCutTo };

// What is wrong with one part of a request: an input, or a token index of an intervention.
struct PartError {
  RequestPart part = RequestPart::kInput;
  std::int64_t index = 0;  // into inputs or interventions
  Error error;
};

// Why a whole request failed; `parts` names the culprits where there are any.
struct ClassifyFailure {
  Error error;
  std::vector<PartError> parts;
};

using ClassifyOutcome = tl::expected<ClassifyAnswer, ClassifyFailure>;

}  // namespace notbad::service
