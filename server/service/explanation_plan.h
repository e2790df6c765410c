#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_config.h"
#include "server/service/edited_sentence.h"
#include "server/service/forward_passes.h"
#include "server/service/sentiment.h"

namespace notbad::service {

// The experiments on one cue. Indices into ExplanationPlan::sentences(), none where the sentence
// cannot be had.
struct CuePlan {
  std::optional<std::int64_t> target;  // word
  std::optional<std::string> opposite;
  std::optional<std::size_t> without;
  std::optional<std::size_t> with_opposite;
  std::optional<std::size_t> without_opposite;
};

// Which forward passes an explanation needs: the sentence with all its maps, its edits, each text
// once, and the sentence and its plain twin without each head.
class ExplanationPlan {
 public:
  // `sentiment` is the answer to `text`. Config, tokenizer and interventions must outlive this.
  ExplanationPlan(const tokenizer::Tokenizer& tokenizer, const model::ModelConfig& config,
                  std::string_view text, const Sentiment& sentiment,
                  std::span<const model::Intervention> interventions);

  // The sentence as sent, then the edits; a pass each, first of all passes.
  const std::vector<Sentence>& sentences() const { return sentences_; }
  // Of each word, the sentence without it.
  const std::vector<std::optional<std::size_t>>& without_word() const { return without_word_; }
  const std::vector<CuePlan>& cues() const { return cues_; }  // of each cue
  // The sentence without the first cue.
  std::optional<std::size_t> twin() const;

  // In this order: sentences(), the first one without each head, the twin without each head.
  std::vector<ForwardPass> passes() const;

 private:
  std::size_t add(Sentence sentence);
  std::optional<std::size_t> add_without(const Sentence& sentence,
                                         std::span<const std::int64_t> words);
  CuePlan plan_cue(const Sentiment& sentiment, const NegationCue& cue);
  ForwardPass pass(const Sentence& sentence) const;

  const model::ModelConfig& config_;
  SentenceEditor editor_;
  std::span<const model::Intervention> interventions_;
  std::vector<Sentence> sentences_;
  std::vector<std::optional<std::size_t>> without_word_;
  std::vector<CuePlan> cues_;
};

}  // namespace notbad::service
