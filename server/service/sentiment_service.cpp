#include "server/service/sentiment_service.h"

#include <utf8.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "server/service/forward_passes.h"
#include "server/service/negation_effects.h"
#include "server/service/negation_tagging.h"

namespace notbad::service {
namespace {

constexpr std::string_view kWarmUpText = "The movie was not bad";

tl::unexpected<ClassifyFailure> failed(Error error) {
  return tl::unexpected(ClassifyFailure{std::move(error), {}});
}

// The request fails as its first bad part does.
tl::unexpected<ClassifyFailure> failed(std::vector<PartError> parts) {
  Error error = parts.front().error;
  return tl::unexpected(ClassifyFailure{std::move(error), std::move(parts)});
}

Result<void> check_count(std::size_t count, std::int64_t limit) {
  if (count == 0) return fail(ErrorCode::kEmptyInput, "no text was sent: send at least one");
  if (static_cast<std::int64_t>(count) > limit)
    return fail(ErrorCode::kBatchTooLarge, std::to_string(count) + " texts exceed the " +
                                               std::to_string(limit) + " of one request");
  return {};
}

std::int64_t attention_values(const model::AttentionSelection& maps,
                              const std::vector<tokenizer::Encoding>& encodings) {
  const std::size_t planes = maps.layers.size() * maps.heads.size();
  std::size_t values = 0;
  for (const auto& encoding : encodings)
    values += planes * encoding.tokens.size() * encoding.tokens.size();
  return static_cast<std::int64_t>(values);
}

// Of a summary nothing is sent that grows with T².
Result<void> check_attention(const ClassifyOptions& options, std::int64_t values,
                             std::int64_t limit) {
  if (options.attention != AttentionMode::kFull || values <= limit) return {};
  return fail(ErrorCode::kAttentionTooLarge,
              std::to_string(options.maps.layers.size()) + " layers x " +
                  std::to_string(options.maps.heads.size()) +
                  " heads over the tokens of all texts are " + std::to_string(values) +
                  " attention values, the limit is " + std::to_string(limit) +
                  ": ask for fewer layers, heads or texts, or for the summary");
}

// A cut applies to every text, so its tokens must exist in the shortest.
std::vector<PartError> check_cuts(const std::vector<model::Intervention>& interventions,
                                  const std::vector<tokenizer::Encoding>& encodings) {
  const auto by_length = [](const auto& encoding) { return encoding.tokens.size(); };
  const auto shortest =
      static_cast<std::int64_t>(std::ranges::min_element(encodings, {}, by_length)->tokens.size());
  const Error error{ErrorCode::kInvalidArgument,
                    "the shortest text of the request has " + std::to_string(shortest) +
                        " tokens, counted from 0 with the special ones"};
  std::vector<PartError> errors;
  for (std::size_t i = 0; i < interventions.size(); ++i) {
    const auto* cut = std::get_if<model::CutLink>(&interventions[i]);
    if (cut == nullptr) continue;
    const auto index = static_cast<std::int64_t>(i);
    if (cut->from >= shortest) errors.push_back({RequestPart::kCutFrom, index, error});
    if (cut->to >= shortest) errors.push_back({RequestPart::kCutTo, index, error});
  }
  return errors;
}

Job make_job(const ClassifyOptions& options, const std::vector<tokenizer::Encoding>& encodings) {
  Job job;
  job.options.interventions = options.interventions;
  job.options.wants_negation = options.negation != Negation::kNone;
  if (options.attention != AttentionMode::kNone) job.options.attention = options.maps;
  job.deadline = options.deadline;
  job.has_caller_left = options.has_caller_left;
  for (const auto& encoding : encodings) job.sequences.push_back(ids_of(encoding));
  return job;
}

bool is_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// The mean over `from` of one layer's maps [1, H, T, T]: how much of all looking lands on a token.
Tensor mean_received(const Tensor& maps) {
  const std::int64_t heads = maps.dim(1);
  const std::int64_t tokens = maps.dim(2);
  Tensor received({heads, tokens});  // [H, T]
  const float* weight = maps.data();
  for (std::int64_t head = 0; head < heads; ++head) {
    float* row = received.data() + head * tokens;
    for (std::int64_t from = 0; from < tokens; ++from)
      for (std::int64_t to = 0; to < tokens; ++to) row[to] += *weight++;
    for (std::int64_t to = 0; to < tokens; ++to) row[to] /= static_cast<float>(tokens);
  }
  return received;
}

void read_cues(const tokenizer::Encoding& encoding, std::string_view text,
               const model::SequenceOutput& output, Sentiment& sentiment) {
  if (!output.negation) {
    sentiment.cues = find_negation_cues(encoding, text);
    return;
  }
  sentiment.cues = tagged_cues(encoding, text, *output.negation);
  sentiment.cue_source = CueSource::kModel;
}

Result<void> check_effects(std::span<const ForwardPass> passes, std::int64_t limit) {
  const std::int64_t tokens = count_tokens(passes);
  if (tokens <= limit) return {};
  return fail(ErrorCode::kTextTooLong,
              "the effects of negation take " + std::to_string(passes.size()) +
                  " forward passes of " + std::to_string(tokens) +
                  " tokens together, the limit is " + std::to_string(limit) +
                  ": send shorter or fewer texts, or ask for the cues only");
}

Sentiment read_output(const ClassifyOptions& options, std::string_view text,
                      tokenizer::Encoding encoding, model::SequenceOutput output) {
  Sentiment sentiment;
  sentiment.label = std::ranges::max_element(output.probabilities) - output.probabilities.begin();
  sentiment.probabilities = std::move(output.probabilities);
  sentiment.logits = std::move(output.logits);
  if (options.negation != Negation::kNone) read_cues(encoding, text, output, sentiment);
  if (options.attention == AttentionMode::kFull) sentiment.attention = std::move(output.attention);
  if (options.attention == AttentionMode::kSummary)
    sentiment.received = mean_received(output.attention);
  sentiment.encoding = std::move(encoding);
  return sentiment;
}

}  // namespace

SentimentService::SentimentService(ModelBundle bundle, Batcher& batcher,
                                   const ServiceLimits& limits)
    : bundle_(std::move(bundle)), batcher_(batcher), limits_(limits) {
  limits_.tokens = std::min(limits_.tokens, bundle_.config.max_positions);
  map_budget_ = std::make_shared<MapBudget>(limits_.attention_values_at_once);
}

ClassifyOutcome SentimentService::classify(const ClassifyRequest& request) const {
  if (const auto count = check_count(request.inputs.size(), limits_.inputs); !count)
    return failed(count.error());
  const auto start = Clock::now();
  auto encodings = encode(request);
  if (!encodings) return tl::unexpected(std::move(encodings.error()));
  const auto tokenized = Clock::now() - start;

  const ClassifyOptions& options = request.options;
  auto map_place = reserve_maps(options, *encodings);
  if (!map_place) return failed(std::move(map_place.error()));
  if (auto errors = check_cuts(options.interventions, *encodings); !errors.empty())
    return failed(std::move(errors));
  ClassifyOutcome outcome = compute(request, std::move(*encodings));
  if (!outcome) return outcome;
  outcome->timings.tokenize = tokenized;
  outcome->map_place = std::move(*map_place);
  if (options.negation == Negation::kEffects) return add_effects(request, std::move(*outcome));
  return outcome;
}

Result<void> SentimentService::warm_up() const {
  const ClassifyOutcome outcome = classify({{std::string(kWarmUpText)}, {}});
  if (!outcome) return tl::unexpected(outcome.error().error);
  return {};
}

Result<std::shared_ptr<const void>> SentimentService::reserve_maps(
    const ClassifyOptions& options, const Encodings& encodings) const {
  if (options.attention == AttentionMode::kNone) return nullptr;
  const std::int64_t values = attention_values(options.maps, encodings);
  if (const auto size = check_attention(options, values, limits_.attention_values); !size)
    return tl::unexpected(size.error());
  auto place = map_budget_->take(values);
  if (place != nullptr) return place;
  return fail(ErrorCode::kOverloaded,
              "answers with attention maps fill the memory that is set aside for them: try again "
              "after a pause, or ask for fewer maps");
}

tl::expected<SentimentService::Encodings, ClassifyFailure> SentimentService::encode(
    const ClassifyRequest& request) const {
  Encodings encodings;
  std::vector<PartError> errors;
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    auto encoding = encode_one(request.inputs[i], request.options.truncate);
    if (encoding)
      encodings.push_back(std::move(*encoding));
    else
      errors.push_back({RequestPart::kInput, static_cast<std::int64_t>(i), encoding.error()});
  }
  if (!errors.empty()) return failed(std::move(errors));
  return encodings;
}

Result<tokenizer::Encoding> SentimentService::encode_one(std::string_view text,
                                                         Truncate truncate) const {
  // The bytes bound the characters, so that a huge text is not even counted.
  constexpr std::int64_t kMaxBytesPerCharacter = 4;
  const auto bytes = static_cast<std::int64_t>(text.size());
  if (bytes > limits_.characters * kMaxBytesPerCharacter ||
      (bytes > limits_.characters && utf8::is_valid(text.begin(), text.end()) &&
       utf8::unchecked::distance(text.begin(), text.end()) > limits_.characters))
    return fail(ErrorCode::kTextTooLong,
                "the text exceeds " + std::to_string(limits_.characters) + " characters");

  const auto side = truncate == Truncate::kLeft ? tokenizer::TruncateSide::kLeft
                                                : tokenizer::TruncateSide::kRight;
  auto encoding = bundle_.tokenizer->encode(text, {limits_.tokens, side});
  if (!encoding) return encoding;
  if (encoding->is_empty())
    return fail(ErrorCode::kEmptyInput, "the text holds nothing to read: send at least one word");
  if (truncate == Truncate::kError && encoding->is_truncated())
    return fail(ErrorCode::kTextTooLong, "the text has " + std::to_string(encoding->total_tokens) +
                                             " tokens, the limit is " +
                                             std::to_string(limits_.tokens));
  return encoding;
}

ClassifyOutcome SentimentService::compute(const ClassifyRequest& request,
                                          Encodings encodings) const {
  Result<Ticket> ticket = batcher_.submit(make_job(request.options, encodings));
  if (!ticket) return failed(std::move(ticket.error()));
  Result<std::vector<SequenceAnswer>> answers = ticket->wait();
  if (!answers) return failed(std::move(answers.error()));

  ClassifyAnswer answer;
  for (std::size_t i = 0; i < answers->size(); ++i) {
    SequenceAnswer& sequence = (*answers)[i];
    if (!is_finite(sequence.output.logits) || !is_finite(sequence.output.probabilities))
      return failed({ErrorCode::kNonFinite, "the model's answer is not a finite number"});
    answer.tokens += static_cast<std::int64_t>(encodings[i].tokens.size());
    answer.timings.queue = std::max(answer.timings.queue, sequence.queued);
    answer.timings.compute = std::max(answer.timings.compute, sequence.computed);
    answer.results.push_back(read_output(request.options, request.inputs[i],
                                         std::move(encodings[i]), std::move(sequence.output)));
  }
  return answer;
}

ClassifyOutcome SentimentService::add_effects(const ClassifyRequest& request,
                                              ClassifyAnswer answer) const {
  const SentenceEditor editor(*bundle_.tokenizer, limits_.tokens);
  std::vector<NegationExperiments> experiments;
  std::vector<ForwardPass> passes;
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    const NegationExperiments& added =
        experiments.emplace_back(editor, bundle_.config, request.inputs[i], answer.results[i],
                                 request.options.interventions);
    passes.insert(passes.end(), added.passes().begin(), added.passes().end());
  }
  if (const auto size = check_effects(passes, limits_.effect_tokens); !size)
    return failed(size.error());
  const auto start = Clock::now();
  const auto answers = run_passes(batcher_, std::move(passes), request.options.deadline,
                                  request.options.has_caller_left);
  if (!answers) return failed(answers.error());
  answer.timings.compute += Clock::now() - start;

  std::span<const SequenceAnswer> rest = *answers;
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    const std::size_t count = experiments[i].passes().size();
    answer.results[i].effects = experiments[i].read(rest.first(count), answer.results[i]);
    rest = rest.subspan(count);
  }
  return answer;
}

}  // namespace notbad::service
