#include "server/service/negation_effects.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "server/service/head_effects.h"
#include "server/service/head_scores.h"

namespace notbad::service {
namespace {

AnswerWithoutCue read_without(const model::SequenceOutput& output) {
  const auto largest = std::ranges::max_element(output.probabilities);
  return {largest - output.probabilities.begin(), *largest};
}

}  // namespace

NegationExperiments::NegationExperiments(const SentenceEditor& editor,
                                         const model::ModelConfig& config, std::string_view text,
                                         const Sentiment& sentiment,
                                         std::span<const model::Intervention> interventions)
    : link_(negation_link(sentiment.encoding, sentiment.cues)) {
  const Sentence sentence = original_sentence(std::string(text), sentiment.encoding);
  for (const NegationCue& cue : sentiment.cues) {
    const auto edited = editor.without(sentence, negating_words(cue, sentiment.encoding));
    has_pass_.push_back(edited.has_value());
    if (!edited) continue;
    ForwardPass& pass = passes_.emplace_back();
    pass.ids = ids_of(edited->encoding);
    pass.options.interventions = carried_over(interventions, sentence, *edited);
  }
  if (!link_) return;
  ForwardPass whole{ids_of(sentiment.encoding)};
  whole.options.interventions.assign(interventions.begin(), interventions.end());
  std::vector<ForwardPass> off = passes_without_each_head(whole, config);
  whole.options.attention = every_head(config);
  passes_.push_back(std::move(whole));
  std::ranges::move(off, std::back_inserter(passes_));
}

NegationEffects NegationExperiments::read(std::span<const SequenceAnswer> answers,
                                          const Sentiment& sentiment) const {
  check(answers.size() == passes_.size(), "NegationExperiments: expected an answer a pass");
  NegationEffects effects;
  auto answer = answers.begin();
  for (const bool has_pass : has_pass_) {
    effects.without.emplace_back();
    if (has_pass) effects.without.back() = read_without((answer++)->output);
  }
  if (!link_) return effects;
  const model::SequenceOutput& whole = (answer++)->output;
  const std::vector<float> by_head = head_effects(whole, {answer, answers.end()});
  const std::int64_t num_heads = whole.attention.dim(1);
  for (const HeadScore& score :
       attention_scores(whole.attention, sentiment.encoding, link_->from, link_->to)) {
    const auto index = static_cast<std::size_t>(score.layer * num_heads + score.head);
    effects.heads.push_back(
        {score.layer, score.head, score.attention, score.baseline, by_head[index]});
  }
  return effects;
}

}  // namespace notbad::service
