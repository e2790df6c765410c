#include "server/service/explanation.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "server/service/evidence.h"
#include "server/service/explanation_plan.h"
#include "server/service/head_effects.h"
#include "server/service/head_scores.h"
#include "server/service/kendall.h"
#include "server/service/negation_target.h"
#include "server/service/sentiment_service.h"

namespace notbad::service {
namespace {

tl::unexpected<ClassifyFailure> failed(const Error& error) {
  return tl::unexpected(ClassifyFailure{error, {}});
}

ClassifyRequest classification(const ExplainRequest& request) {
  return {{request.input},
          {.truncate = Truncate::kError,
           .negation = Negation::kCues,
           .interventions = request.interventions,
           .deadline = request.deadline,
           .has_caller_left = request.has_caller_left}};
}

Result<void> check_size(std::span<const ForwardPass> passes, const ServiceLimits& limits) {
  const std::string sentence =
      "a sentence of " + std::to_string(passes.front().ids.size()) + " tokens needs ";
  const std::int64_t tokens = count_tokens(passes);
  if (tokens > limits.explain_tokens)
    return fail(ErrorCode::kTextTooLong,
                sentence + std::to_string(passes.size()) + " passes of " + std::to_string(tokens) +
                    " tokens together, the limit is " + std::to_string(limits.explain_tokens));
  const auto length = std::ssize(passes.front().ids);
  const auto& maps = passes.front().options.attention;
  const std::int64_t values = std::ssize(maps.layers) * std::ssize(maps.heads) * length * length;
  if (values > limits.attention_values)
    return fail(ErrorCode::kTextTooLong, sentence + std::to_string(values) +
                                             " attention values, the limit is " +
                                             std::to_string(limits.attention_values));
  return {};
}

tl::unexpected<ClassifyFailure> failed_input(const Error& error) {
  return tl::unexpected(ClassifyFailure{error, {{RequestPart::kInput, 0, error}}});
}

// For each word the mean weight that its pieces receive; see WordExplanation::attention. `maps`
// [L, H, T, T].
std::vector<float> received_by_words(const Tensor& maps, const tokenizer::Encoding& encoding) {
  const std::int64_t heads = maps.dim(1);
  const std::int64_t tokens = maps.dim(2);
  const std::int64_t last_layer = (maps.dim(0) - 1) * heads * tokens;
  std::vector<float> received(encoding.words.size(), 0.0F);
  std::int64_t rows = 0;
  for (std::int64_t row = 0; row < heads * tokens; ++row) {
    if (encoding.tokens[static_cast<std::size_t>(row % tokens)].is_special()) continue;
    const auto weights = maps.matrix().row(last_layer + row);
    for (std::size_t to = 0; to < weights.size(); ++to)
      if (const auto word = encoding.tokens[to].word)
        received[static_cast<std::size_t>(*word)] += weights[to];
    ++rows;
  }
  for (float& value : received) value /= static_cast<float>(rows);
  return received;
}

// Reads what the passes of a plan have answered. Borrows all for the length of a call.
class Reader {
 public:
  Reader(const ExplanationPlan& plan, const Sentiment& sentiment,
         std::span<const SequenceAnswer> answers, const model::ModelConfig& config)
      : plan_(plan), sentiment_(sentiment), answers_(answers), config_(config) {}

  std::vector<CueExplanation> cues() const {
    std::vector<CueExplanation> cues;
    cues.reserve(plan_.cues().size());
    for (std::size_t i = 0; i < plan_.cues().size(); ++i)
      cues.push_back({sentiment_.cues[i], plan_.cues()[i].target, square(plan_.cues()[i])});
    return cues;
  }

  std::vector<WordExplanation> words() const {
    std::vector<WordExplanation> words;
    for (const float attention : received_by_words(maps(), sentiment_.encoding)) {
      const auto& without = plan_.without_word()[words.size()];
      words.push_back({without ? std::optional(f(0) - f(*without)) : std::nullopt, attention});
    }
    return words;
  }

  std::optional<Flip> flip(const std::vector<WordExplanation>& words) const;
  std::vector<HeadExplanation> heads() const;

 private:
  const Tensor& maps() const { return answers_.front().output.attention; }
  float f(std::size_t sentence) const { return evidence(answers_[sentence].output.logits); }

  TextAnswer answer(std::size_t sentence) const {
    const std::vector<float>& probabilities = answers_[sentence].output.probabilities;
    const auto largest = std::ranges::max_element(probabilities);
    return {plan_.sentences()[sentence].text, largest - probabilities.begin(), *largest,
            probabilities.back(), f(sentence)};
  }
  std::optional<TextAnswer> answer(const std::optional<std::size_t>& sentence) const {
    return sentence ? std::optional(answer(*sentence)) : std::nullopt;
  }

  std::optional<NegationSquare> square(const CuePlan& cue) const {
    if (!cue.without) return std::nullopt;
    return NegationSquare{cue.opposite.value_or(""), answer(0), answer(*cue.without),
                          answer(cue.with_opposite), answer(cue.without_opposite)};
  }

  // The answer to an edited sentence where its label is another than that of the sentence itself.
  std::optional<TextAnswer> flipped(const std::optional<std::size_t>& edited) const {
    std::optional<TextAnswer> found = answer(edited);
    return found && found->label != answer(0).label ? found : std::nullopt;
  }

  // All words, in the order in which Flip tries them.
  std::vector<std::int64_t> words_by_rank(const std::vector<WordExplanation>& words) const;
  std::vector<float> effects(std::size_t sentence, std::size_t first_without_head) const;

  const ExplanationPlan& plan_;
  const Sentiment& sentiment_;
  std::span<const SequenceAnswer> answers_;
  const model::ModelConfig& config_;
};

std::vector<std::int64_t> Reader::words_by_rank(const std::vector<WordExplanation>& words) const {
  std::vector<std::int64_t> ranked(words.size());
  std::ranges::generate(ranked, [next = std::int64_t{0}]() mutable { return next++; });
  const auto rank = [&](std::int64_t word) {
    const bool is_cue = std::ranges::any_of(sentiment_.cues, [word](const NegationCue& cue) {
      return std::ranges::find(cue.words, word) != cue.words.end();
    });
    const float effect = words[static_cast<std::size_t>(word)].effect.value_or(0.0F);
    return std::pair(!is_cue, -std::abs(effect));
  };
  std::ranges::stable_sort(ranked, {}, rank);
  return ranked;
}

std::optional<Flip> Reader::flip(const std::vector<WordExplanation>& words) const {
  for (const std::int64_t word : words_by_rank(words)) {
    if (const auto found = flipped(plan_.without_word()[static_cast<std::size_t>(word)]))
      return Flip{EditKind::kDelete, {word}, *found};
  }
  for (std::size_t i = 0; i < plan_.cues().size(); ++i) {
    if (const auto found = flipped(plan_.cues()[i].without))
      return Flip{EditKind::kDelete, negating_words(sentiment_.cues[i], sentiment_.encoding),
                  *found};
  }
  for (const CuePlan& cue : plan_.cues()) {
    const auto found = flipped(cue.with_opposite);
    if (cue.target && found) return Flip{EditKind::kSwap, {*cue.target}, *found};
  }
  return std::nullopt;
}

// f(sentence) - f(sentence with a head off) of every head.
std::vector<float> Reader::effects(std::size_t sentence, std::size_t first_without_head) const {
  const auto count = static_cast<std::size_t>(config_.num_layers * config_.num_heads);
  return head_effects(answers_[sentence].output, answers_.subspan(first_without_head, count));
}

std::vector<HeadExplanation> Reader::heads() const {
  const std::size_t first = plan_.sentences().size();
  const std::vector<float> on_sentence = effects(0, first);
  std::vector<float> on_twin;
  if (const auto twin = plan_.twin()) on_twin = effects(*twin, first + on_sentence.size());

  const std::int64_t tokens = maps().dim(2);
  std::vector<HeadExplanation> heads;
  for (std::int64_t i = 0; i < std::ssize(on_sentence); ++i) {
    const auto index = static_cast<std::size_t>(i);
    HeadExplanation& head = heads.emplace_back();
    head.layer = i / config_.num_heads;
    head.head = i % config_.num_heads;
    head.effect = on_sentence[index];
    if (!on_twin.empty()) head.negation_effect = on_sentence[index] - on_twin[index];
    head.kind =
        head_kind(maps().matrix().rows_from(i * tokens, tokens), sentiment_.encoding);  // [T, T]
  }
  const auto link = negation_link(sentiment_.encoding, sentiment_.cues);
  if (!link) return heads;
  for (const HeadScore& score :
       attention_scores(maps(), sentiment_.encoding, link->from, link->to)) {
    HeadExplanation& head =
        heads[static_cast<std::size_t>(score.layer * config_.num_heads + score.head)];
    head.attention = score.attention;
    head.baseline = score.baseline;
  }
  return heads;
}

Agreement agreement(const std::vector<WordExplanation>& words) {
  std::vector<float> attention;
  std::vector<float> size;
  for (const WordExplanation& word : words) {
    if (!word.effect) continue;
    attention.push_back(word.attention);
    size.push_back(std::abs(*word.effect));
  }
  Agreement agreement;
  agreement.num_words = std::ssize(size);
  if (agreement.is_too_short()) return agreement;
  const RankCorrelation correlation = kendall_tau(attention, size);
  agreement.tau = correlation.tau;
  agreement.p = correlation.p;
  return agreement;
}

}  // namespace

std::optional<float> NegationSquare::interaction() const {
  if (!with_opposite || !without_opposite) return std::nullopt;
  return (with_word.f - without_word.f) - (with_opposite->f - without_opposite->f);
}

ExplainOutcome explain(const SentimentService& service, const ExplainRequest& request) {
  ClassifyOutcome classified = service.classify(classification(request));
  if (!classified) return tl::unexpected(std::move(classified.error()));
  Sentiment& sentiment = classified->results.front();
  const model::ModelConfig& config = service.bundle().config;

  const auto start = Clock::now();
  const ExplanationPlan plan(*service.bundle().tokenizer, config, request.input, sentiment,
                             request.interventions);
  std::vector<ForwardPass> passes = plan.passes();
  if (const auto size = check_size(passes, service.limits()); !size)
    return failed_input(size.error());

  Explanation explanation;
  explanation.passes = std::ssize(passes) + 1;
  explanation.tokens = count_tokens(passes) + classified->tokens;
  const auto planned = Clock::now();
  const auto answers = service.run(std::move(passes), request.deadline, request.has_caller_left);
  if (!answers) return failed(answers.error());
  const auto queued = answers->front().queued;
  explanation.timings = {classified->timings.tokenize + (planned - start),
                         classified->timings.queue + queued,
                         classified->timings.compute + (Clock::now() - planned - queued)};

  const Reader reader(plan, sentiment, *answers, config);
  explanation.cues = reader.cues();
  explanation.words = reader.words();
  explanation.flip = reader.flip(explanation.words);
  explanation.heads = reader.heads();
  explanation.agreement = agreement(explanation.words);
  explanation.result = std::move(sentiment);
  return explanation;
}

}  // namespace notbad::service
