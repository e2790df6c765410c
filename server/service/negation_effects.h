#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/model_config.h"
#include "server/service/edited_sentence.h"
#include "server/service/forward_passes.h"
#include "server/service/negation_target.h"
#include "server/service/sentiment.h"

namespace notbad::service {

// The experiments that show what negation does in one text: the text without each of its cues, and
// for the first cue the text without each head. Of models with two labels, the negative one first.
class NegationExperiments {
 public:
  // `sentiment` is the answer to `text` under `interventions`, which hold in every pass: those of
  // links as carried_over() says. All is used here only.
  NegationExperiments(const SentenceEditor& editor, const model::ModelConfig& config,
                      std::string_view text, const Sentiment& sentiment,
                      std::span<const model::Intervention> interventions);

  const std::vector<ForwardPass>& passes() const { return passes_; }

  // `answers` are those to passes(), `sentiment` is the one given before.
  NegationEffects read(std::span<const SequenceAnswer> answers, const Sentiment& sentiment) const;

 private:
  // The text without each cue that leaves something; then, where there is a link, the text with
  // all its maps and without each head.
  std::vector<ForwardPass> passes_;
  std::vector<bool> has_pass_;  // of each cue
  std::optional<NegationLink> link_;
};

}  // namespace notbad::service
