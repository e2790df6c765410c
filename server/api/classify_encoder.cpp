#include "server/api/classify_encoder.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "server/api/json_writer.h"
#include "server/api/model_identity.h"

namespace notbad::api {
namespace {

using service::AttentionMode;

std::int64_t to_us(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

std::string_view cut(std::string_view text, const tokenizer::Span& span) {
  return text.substr(static_cast<std::size_t>(span.begin),
                     static_cast<std::size_t>(span.end - span.begin));
}

void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values) {
  json.begin_object();
  for (std::size_t i = 0; i < labels.size(); ++i) json.key(labels[i]).number(values[i]);
  json.end_object();
}

void write_span(JsonWriter& json, const std::optional<tokenizer::TextRange>& range,
                tokenizer::Span tokenizer::TextRange::* units) {
  if (!range) {
    json.null();
    return;
  }
  const tokenizer::Span& span = (*range).*units;
  json.begin_array().integer(span.begin).integer(span.end).end_array();
}

// A special token stands for no text: its spans and its word are null, its text is its piece.
void write_token(JsonWriter& json, const tokenizer::Token& token, std::string_view text) {
  json.begin_object();
  json.key("id").integer(token.id);
  json.key("piece").string(token.piece);
  json.key("text").string(token.range ? cut(text, token.range->bytes) : token.piece);
  json.key("word");
  token.word ? json.integer(*token.word) : json.null();
  json.key("special").boolean(token.is_special());
  json.key("bytes");
  write_span(json, token.range, &tokenizer::TextRange::bytes);
  json.key("utf16");
  write_span(json, token.range, &tokenizer::TextRange::utf16);
  json.end_object();
}

void write_tokens(JsonWriter& json, const tokenizer::Encoding& encoding, std::string_view text) {
  json.begin_array();
  for (const auto& token : encoding.tokens) write_token(json, token, text);
  json.end_array();
}

// The answer without the cue, and whether its label is another than `label`.
void write_without(JsonWriter& json, const std::optional<service::AnswerWithoutCue>& without,
                   std::int64_t label, const std::vector<std::string>& labels) {
  json.key("without");
  if (without) {
    json.begin_object();
    json.key("label").string(labels[static_cast<std::size_t>(without->label)]);
    json.key("score").number(without->score);
    json.end_object();
  } else {
    json.null();
  }
  json.key("flips").boolean(without && without->label != label);
}

void write_head_effects(JsonWriter& json, const std::vector<service::HeadEffect>& heads) {
  json.begin_array();
  for (const service::HeadEffect& head : heads) {
    json.begin_object();
    json.key("layer").integer(head.layer);
    json.key("head").integer(head.head);
    json.key("attention").number(head.attention);
    json.key("baseline").number(head.baseline);
    json.key("effect").number(head.effect);
    json.end_object();
  }
  json.end_array();
}

// A list of words knows no scopes.
void write_negation(JsonWriter& json, const service::Sentiment& sentiment,
                    const std::vector<std::string>& labels) {
  json.begin_object();
  json.key("source").string(cue_source_name(sentiment.cue_source));
  json.key("cues").begin_array();
  for (std::size_t i = 0; i < sentiment.cues.size(); ++i) {
    const service::NegationCue& cue = sentiment.cues[i];
    json.begin_object();
    json.key("words");
    write_indices(json, cue.words);
    json.key("text").string(cue.text);
    if (sentiment.cue_source == service::CueSource::kModel) {
      json.key("scope");
      write_indices(json, cue.scope);
    }
    if (sentiment.effects)
      write_without(json, sentiment.effects->without[i], sentiment.label, labels);
    json.end_object();
  }
  json.end_array();
  if (sentiment.effects) {
    json.key("heads");
    write_head_effects(json, sentiment.effects->heads);
  }
  json.end_object();
}

// `weights` is nested as [layer][head][from][to].
void write_maps(JsonWriter& json, const model::AttentionSelection& maps, const Tensor& weights) {
  json.begin_object();
  json.key("mode").string("full");
  json.key("layers");
  write_indices(json, maps.layers);
  json.key("heads");
  write_indices(json, maps.heads);
  json.key("weights").begin_array();
  const auto tokens = static_cast<std::size_t>(weights.dim(-1));
  std::span<const float> rest = weights.values();
  for (std::size_t layer = 0; layer < maps.layers.size(); ++layer) {
    json.begin_array();
    for (std::size_t head = 0; head < maps.heads.size(); ++head) {
      json.begin_array();
      for (std::size_t from = 0; from < tokens; ++from, rest = rest.subspan(tokens))
        json.weights(rest.first(tokens));
      json.end_array();
    }
    json.end_array();
  }
  json.end_array();
  json.end_object();
}

// `received` is nested as [head][token]: the mean attention that all tokens give to one.
void write_summary(JsonWriter& json, const model::AttentionSelection& maps,
                   const Tensor& received) {
  json.begin_object();
  json.key("mode").string("summary");
  json.key("layer").integer(maps.layers.front());
  json.key("heads");
  write_indices(json, maps.heads);
  json.key("received").begin_array();
  const auto tokens = static_cast<std::size_t>(received.dim(-1));
  for (std::size_t head = 0; head < maps.heads.size(); ++head)
    json.weights(received.values().subspan(head * tokens, tokens));
  json.end_array();
  json.end_object();
}

std::size_t expected_bytes(const service::ClassifyAnswer& answer) {
  constexpr std::size_t kBytesPerWeight = 11;  // digits, point and comma
  constexpr std::size_t kBytesPerResult = 1024;
  std::size_t bytes = 0;
  for (const service::Sentiment& sentiment : answer.results)
    bytes += kBytesPerResult + kBytesPerWeight * sentiment.attention.values().size();
  return bytes;
}

}  // namespace

std::string_view cue_source_name(service::CueSource source) {
  return source == service::CueSource::kModel ? "model" : "list";
}

void write_indices(JsonWriter& json, const std::vector<std::int64_t>& indices) {
  json.begin_array();
  for (const std::int64_t index : indices) json.integer(index);
  json.end_array();
}

void write_timings(JsonWriter& json, const service::Timings& timings,
                   std::chrono::nanoseconds total) {
  json.begin_object();
  json.key("tokenize").integer(to_us(timings.tokenize));
  json.key("queue").integer(to_us(timings.queue));
  json.key("compute").integer(to_us(timings.compute));
  json.key("total").integer(to_us(total));
  json.end_object();
}

void write_result(JsonWriter& json, const ClassifyCall& call, const service::Sentiment& sentiment,
                  std::size_t index, const std::vector<std::string>& labels) {
  const service::ClassifyOptions& options = call.request.options;
  const auto label = static_cast<std::size_t>(sentiment.label);
  json.begin_object();
  json.key("index").integer(static_cast<std::int64_t>(index));
  json.key("label").string(labels[label]);
  json.key("score").number(sentiment.probabilities[label]);
  json.key("probabilities");
  write_by_label(json, labels, sentiment.probabilities);
  json.key("logits");
  write_by_label(json, labels, sentiment.logits);
  json.key("truncated").boolean(sentiment.encoding.is_truncated());
  json.key("token_count").integer(static_cast<std::int64_t>(sentiment.encoding.tokens.size()));
  json.key("token_count_total").integer(sentiment.encoding.total_tokens);
  if (call.return_tokens) {
    json.key("tokens");
    write_tokens(json, sentiment.encoding, call.request.inputs[index]);
  }
  if (options.negation != service::Negation::kNone) {
    json.key("negation");
    write_negation(json, sentiment, labels);
  }
  if (options.attention != AttentionMode::kNone) json.key("attention");
  if (options.attention == AttentionMode::kFull)
    write_maps(json, options.maps, sentiment.attention);
  if (options.attention == AttentionMode::kSummary)
    write_summary(json, options.maps, sentiment.received);
  json.end_object();
}

std::string encode_classify(const ClassifyCall& call, const service::ClassifyAnswer& answer,
                            const service::ModelBundle& model, const AnswerFrame& frame) {
  JsonWriter json;
  json.reserve(expected_bytes(answer));
  json.begin_object();
  json.key("id").string(frame.request_id);
  json.key("model");
  write_model_identity(json, model);
  json.key("results").begin_array();
  for (std::size_t i = 0; i < answer.results.size(); ++i)
    write_result(json, call, answer.results[i], i, model.labels);
  json.end_array();
  json.key("usage").begin_object();
  json.key("inputs").integer(static_cast<std::int64_t>(answer.results.size()));
  json.key("tokens").integer(answer.tokens);
  json.end_object();
  json.key("timings_us");
  write_timings(json, answer.timings, frame.total);
  json.end_object();
  return json.take();
}

}  // namespace notbad::api
