#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/service/head_kinds.h"
#include "server/service/sentiment.h"

namespace notbad::service {

class SentimentService;

// Everything that the page shows of one sentence, each number from a forward pass of its own.
// Throughout, f = z_pos - z_neg, and an effect is f(with) - f(without), so that plus always means
// "pushes to positive".

struct ExplainRequest {
  std::string input;
  // In force in every pass; a cut link stays cut between the same words (see carried_over()).
  std::vector<model::Intervention> interventions{};
  Clock::time_point deadline = Clock::time_point::max();
  std::function<bool()> has_caller_left = nullptr;  // of every pass, see Job
};

// The answer to the sentence or to an edit of it.
struct TextAnswer {
  std::string text;
  std::int64_t label = 0;
  float score = 0;     // the probability of the label
  float positive = 0;  // the probability of the positive label
  float f = 0;
};

// The sentence with and without the cue, as it stands and with the target's opposite in its place.
struct NegationSquare {
  std::string opposite;  // of the target; empty where the list of antonyms has none
  TextAnswer with_word;
  TextAnswer without_word;
  std::optional<TextAnswer> with_opposite;     // these two only where there is an opposite
  std::optional<TextAnswer> without_opposite;  //
  // [f(not bad) - f(bad)] - [f(not good) - f(good)]: 0 for a bag of words, where the negator adds
  // the same whatever it stands before.
  std::optional<float> interaction() const;
};

struct CueExplanation {
  NegationCue cue;
  std::optional<std::int64_t> target;    // negation_target()
  std::optional<NegationSquare> square;  // none where nothing is left without the cue
};

enum class EditKind { kDelete, kSwap };

// The smallest edit that changes the label: one word deleted (a cue's before others, then the one
// with the largest effect), else a whole cue deleted, else a target replaced by its opposite.
struct Flip {
  EditKind edit = EditKind::kDelete;
  std::vector<std::int64_t> words;  // deleted or replaced
  TextAnswer answer;                // to the edited sentence
};

struct WordExplanation {
  // f(sentence) - f(sentence without the word): leave one out, Li et al. 2016. None where nothing
  // is left without it.
  std::optional<float> effect;
  // What the word receives in the last layer: the weight on its pieces, summed, as a mean over all
  // heads and over the rows that are not special tokens. In [0, 1].
  float attention = 0;
};

struct HeadExplanation {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  // From the target to the first cue (negation_link()), and what the head gives at that distance
  // elsewhere (attention_scores()). None without a cue or without a target.
  std::optional<float> attention;
  std::optional<float> baseline;
  float effect = 0;  // f - f(head off), where off is a context of zero: Michel et al. 2019
  // The effect less that on the plain twin, the sentence without the first cue. None without one.
  std::optional<float> negation_effect;
  HeadKind kind = HeadKind::kFocused;
};

// Kendall's τ-b between what the words receive (WordExplanation::attention) and how much they
// matter (|effect|), over all words that have an effect: Jain and Wallace 2019.
struct Agreement {
  std::optional<double> tau;
  std::optional<double> p;  // see kendall_tau()
  std::int64_t num_words = 0;
  bool is_too_short() const { return num_words < kMinWords; }  // no tau then; else none means ties
  static constexpr std::int64_t kMinWords = 4;
};

struct Explanation {
  Sentiment result;
  std::vector<CueExplanation> cues;
  std::optional<Flip> flip;
  std::vector<WordExplanation> words;  // of Encoding::words, in order
  std::vector<HeadExplanation> heads;  // L * H, layer by layer
  Agreement agreement;
  std::int64_t passes = 0;  // forward passes behind all this
  std::int64_t tokens = 0;  // of all passes
  // queue: until the first experiment was taken; compute: from then to the last answer.
  Timings timings;
};

using ExplainOutcome = tl::expected<Explanation, ClassifyFailure>;

// Classifies the sentence, which finds the cues, then runs all experiments on it packed together.
// Fails as classify() does, and with kTextTooLong and the numbers where the experiments exceed
// ServiceLimits::explain_tokens or the maps ServiceLimits::attention_values. For models with two
// labels, the negative one first.
ExplainOutcome explain(const SentimentService& service, const ExplainRequest& request);

}  // namespace notbad::service
