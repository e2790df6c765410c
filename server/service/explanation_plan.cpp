#include "server/service/explanation_plan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/service/antonyms.h"
#include "server/service/head_effects.h"
#include "server/service/negation_target.h"

namespace notbad::service {
namespace {

std::optional<std::string> opposite_in(const tokenizer::Encoding& encoding, std::int64_t word) {
  return opposite_of(encoding.words[static_cast<std::size_t>(word)].normalized);
}

}  // namespace

ExplanationPlan::ExplanationPlan(const tokenizer::Tokenizer& tokenizer,
                                 const model::ModelConfig& config, std::string_view text,
                                 const Sentiment& sentiment,
                                 std::span<const model::Intervention> interventions)
    : config_(config), editor_(tokenizer, config.max_positions), interventions_(interventions) {
  sentences_.push_back(original_sentence(std::string(text), sentiment.encoding));
  for (std::int64_t word = 0; word < std::ssize(sentiment.encoding.words); ++word)
    without_word_.push_back(add_without(sentences_.front(), {{word}}));
  for (const NegationCue& cue : sentiment.cues) cues_.push_back(plan_cue(sentiment, cue));
}

std::optional<std::size_t> ExplanationPlan::twin() const {
  return cues_.empty() ? std::nullopt : cues_.front().without;
}

std::vector<ForwardPass> ExplanationPlan::passes() const {
  std::vector<ForwardPass> passes;
  std::ranges::transform(sentences_, std::back_inserter(passes),
                         [this](const Sentence& sentence) { return pass(sentence); });
  std::vector<ForwardPass> without_heads = passes_without_each_head(passes.front(), config_);
  if (const auto index = twin()) {
    auto of_twin = passes_without_each_head(passes[*index], config_);
    std::ranges::move(of_twin, std::back_inserter(without_heads));
  }
  passes.front().options.attention = every_head(config_);
  std::ranges::move(without_heads, std::back_inserter(passes));
  return passes;
}

std::size_t ExplanationPlan::add(Sentence sentence) {
  const auto known = std::ranges::find(sentences_, sentence.text, &Sentence::text);
  const auto index = static_cast<std::size_t>(known - sentences_.begin());
  if (known == sentences_.end()) sentences_.push_back(std::move(sentence));
  return index;
}

std::optional<std::size_t> ExplanationPlan::add_without(const Sentence& sentence,
                                                        std::span<const std::int64_t> words) {
  std::optional<Sentence> edited = editor_.without(sentence, words);
  if (!edited) return std::nullopt;
  return add(std::move(*edited));
}

CuePlan ExplanationPlan::plan_cue(const Sentiment& sentiment, const NegationCue& cue) {
  CuePlan plan;
  plan.target = negation_target(sentiment.encoding, sentiment.cues, cue);
  const std::vector<std::int64_t> negator = negating_words(cue, sentiment.encoding);
  plan.without = add_without(sentences_.front(), negator);
  if (!plan.target) return plan;
  plan.opposite = opposite_in(sentiment.encoding, *plan.target);
  if (!plan.opposite) return plan;
  auto swapped = editor_.with_replaced(sentences_.front(), *plan.target, *plan.opposite);
  if (!swapped) return plan;
  plan.without_opposite = add_without(*swapped, negator);
  plan.with_opposite = add(std::move(*swapped));
  return plan;
}

ForwardPass ExplanationPlan::pass(const Sentence& sentence) const {
  ForwardPass pass{ids_of(sentence.encoding)};
  pass.options.interventions = carried_over(interventions_, sentences_.front(), sentence);
  return pass;
}

}  // namespace notbad::service
