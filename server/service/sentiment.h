#pragma once

#include <chrono>
#include <cstdint>
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
enum class Negation { kNone, kCues };
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
};

struct ClassifyRequest {
  std::vector<std::string> inputs;
  ClassifyOptions options{};
};

// The answer for one text.
struct Sentiment {
  std::int64_t label = 0;            // index of the largest probability
  std::vector<float> probabilities;  // [C]
  std::vector<float> logits;         // [C]
  tokenizer::Encoding encoding;      // T tokens
  std::vector<NegationCue> cues;     // empty unless Negation::kCues
  Tensor attention;                  // [layers, heads, T, T] with kFull, else nothing
  Tensor received;                   // [heads, T] with kSummary, else nothing; rows sum to 1
};

struct Timings {
  std::chrono::nanoseconds tokenize{};  // all texts
  std::chrono::nanoseconds queue{};     // the text that waited longest
  std::chrono::nanoseconds compute{};   // the slowest batch that carried one of the texts
};

struct ClassifyAnswer {
  std::vector<Sentiment> results;  // one an input, in order
  std::int64_t tokens = 0;         // of all results
  Timings timings;
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
