#include "server/api/explain_encoder.h"

#include <optional>
#include <stdexcept>
#include <string_view>
#include <variant>
#include <vector>

#include "server/api/json_writer.h"
#include "server/api/model_identity.h"

namespace notbad::api {
namespace {

using Labels = std::vector<std::string>;

const char* name_of(service::HeadKind kind) {
  switch (kind) {
    case service::HeadKind::kFlat:
      return "flat";
    case service::HeadKind::kSink:
      return "sink";
    case service::HeadKind::kPrevious:
      return "previous";
    case service::HeadKind::kNext:
      return "next";
    case service::HeadKind::kFocused:
      return "focused";
  }
  throw std::logic_error("name_of: no such kind of head");
}

const char* name_of(service::EditKind kind) {
  switch (kind) {
    case service::EditKind::kDelete:
      return "delete";
    case service::EditKind::kSwap:
      return "swap";
  }
  throw std::logic_error("name_of: no such kind of edit");
}

template <class Number>
void write_number(JsonWriter& json, const std::optional<Number>& number) {
  number ? json.number(static_cast<float>(*number)) : json.null();
}

std::string_view text_of_word(const tokenizer::Encoding& encoding, std::string_view text,
                              std::int64_t word) {
  const tokenizer::Span span = encoding.words[static_cast<std::size_t>(word)].range.bytes;
  return text.substr(static_cast<std::size_t>(span.begin),
                     static_cast<std::size_t>(span.end - span.begin));
}

void write_answer_members(JsonWriter& json, const service::TextAnswer& answer,
                          const Labels& labels) {
  json.key("text").string(answer.text);
  json.key("label").string(labels[static_cast<std::size_t>(answer.label)]);
  json.key("score").number(answer.score);
  json.key("positive").number(answer.positive);
  json.key("f").number(answer.f);
}

// One row of the square: the sentence, and the sentence with `opposite` in it.
void write_row(JsonWriter& json, const service::TextAnswer& word,
               const std::optional<service::TextAnswer>& with_opposite, std::string_view opposite,
               const Labels& labels) {
  json.begin_object();
  json.key("word").begin_object();
  write_answer_members(json, word, labels);
  json.end_object();
  json.key("opposite");
  if (with_opposite) {
    json.begin_object();
    json.key("word").string(opposite);
    write_answer_members(json, *with_opposite, labels);
    json.end_object();
  } else {
    json.null();
  }
  json.end_object();
}

void write_square(JsonWriter& json, const std::optional<service::NegationSquare>& square,
                  const Labels& labels) {
  json.key("square");
  if (!square) {
    json.null();
    json.key("interaction").null();
    return;
  }
  json.begin_object();
  json.key("with");
  write_row(json, square->with_word, square->with_opposite, square->opposite, labels);
  json.key("without");
  write_row(json, square->without_word, square->without_opposite, square->opposite, labels);
  json.end_object();
  json.key("interaction");
  write_number(json, square->interaction());
}

void write_cue(JsonWriter& json, const service::CueExplanation& explanation,
               const tokenizer::Encoding& encoding, std::string_view text, const Labels& labels) {
  json.begin_object();
  json.key("words");
  write_indices(json, explanation.cue.words);
  json.key("text").string(explanation.cue.text);
  json.key("scope");
  write_indices(json, explanation.cue.scope);
  json.key("target");
  if (explanation.target) {
    json.begin_object();
    json.key("word").integer(*explanation.target);
    json.key("text").string(text_of_word(encoding, text, *explanation.target));
    json.end_object();
  } else {
    json.null();
  }
  write_square(json, explanation.square, labels);
  json.end_object();
}

void write_flip(JsonWriter& json, const std::optional<service::Flip>& flip, const Labels& labels) {
  if (!flip) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("edit").string(name_of(flip->edit));
  json.key("words");
  write_indices(json, flip->words);
  write_answer_members(json, flip->answer, labels);
  json.end_object();
}

void write_negation(JsonWriter& json, const service::Explanation& explanation,
                    std::string_view text, const Labels& labels) {
  json.begin_object();
  json.key("source").string(cue_source_name(explanation.result.cue_source));
  json.key("cues").begin_array();
  for (const auto& cue : explanation.cues)
    write_cue(json, cue, explanation.result.encoding, text, labels);
  json.end_array();
  json.key("flip");
  write_flip(json, explanation.flip, labels);
  json.end_object();
}

void write_words(JsonWriter& json, const service::Explanation& explanation, std::string_view text) {
  json.begin_array();
  std::int64_t index = 0;
  for (const service::WordExplanation& word : explanation.words) {
    json.begin_object();
    json.key("word").integer(index);
    json.key("text").string(text_of_word(explanation.result.encoding, text, index));
    json.key("effect");
    write_number(json, word.effect);
    json.key("attention").number(word.attention);
    json.end_object();
    ++index;
  }
  json.end_array();
}

void write_heads(JsonWriter& json, const std::vector<service::HeadExplanation>& heads) {
  json.begin_array();
  for (const service::HeadExplanation& head : heads) {
    json.begin_object();
    json.key("layer").integer(head.layer);
    json.key("head").integer(head.head);
    json.key("attention");
    write_number(json, head.attention);
    json.key("baseline");
    write_number(json, head.baseline);
    json.key("effect").number(head.effect);
    json.key("negation_effect");
    write_number(json, head.negation_effect);
    json.key("kind").string(name_of(head.kind));
    json.end_object();
  }
  json.end_array();
}

// `head` is null: the attention is a mean over the heads of the last layer.
void write_agreement(JsonWriter& json, const service::Agreement& agreement,
                     std::int64_t last_layer) {
  json.begin_object();
  json.key("tau");
  write_number(json, agreement.tau);
  json.key("p");
  write_number(json, agreement.p);
  json.key("reason");
  if (agreement.tau)
    json.null();
  else
    json.string(agreement.is_too_short() ? "too_short" : "tied");
  json.key("layer").integer(last_layer);
  json.key("head").null();
  json.key("n").integer(agreement.num_words);
  json.end_object();
}

struct InterventionWriter {
  JsonWriter& json;

  void operator()(const model::HeadOff& off) const { write("head_off", off.layer, off.head); }
  void operator()(const model::HeadUniform& uniform) const {
    write("head_uniform", uniform.layer, uniform.head);
  }
  void operator()(const model::CutLink& cut) const {
    write("cut", cut.layer, cut.head);
    json.key("from").integer(cut.from);
    json.key("to").integer(cut.to);
    json.key("renormalise").boolean(cut.renormalise);
  }

 private:
  void write(std::string_view kind, std::int64_t layer, std::int64_t head) const {
    json.key("kind").string(kind);
    json.key("layer").integer(layer);
    json.key("head").integer(head);
  }
};

void write_interventions(JsonWriter& json, const std::vector<model::Intervention>& interventions) {
  json.begin_array();
  for (const model::Intervention& intervention : interventions) {
    json.begin_object();
    std::visit(InterventionWriter{json}, intervention);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string encode_explain(const service::ExplainRequest& request,
                           const service::Explanation& explanation,
                           const service::ModelBundle& model, const AnswerFrame& frame) {
  const ClassifyCall call{.request = {{request.input}, {}}, .return_tokens = true};
  JsonWriter json;
  json.begin_object();
  json.key("id").string(frame.request_id);
  json.key("model");
  write_model_identity(json, model);
  json.key("result");
  write_result(json, call, explanation.result, 0, model.labels);
  json.key("negation");
  write_negation(json, explanation, request.input, model.labels);
  json.key("words");
  write_words(json, explanation, request.input);
  json.key("heads");
  write_heads(json, explanation.heads);
  json.key("agreement");
  write_agreement(json, explanation.agreement, model.config.num_layers - 1);
  json.key("interventions");
  write_interventions(json, request.interventions);
  json.key("usage").begin_object();
  json.key("passes").integer(explanation.passes);
  json.key("tokens").integer(explanation.tokens);
  json.end_object();
  json.key("timings_us");
  write_timings(json, explanation.timings, frame.total);
  json.end_object();
  return json.take();
}

}  // namespace notbad::api
