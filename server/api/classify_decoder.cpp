#include "server/api/classify_decoder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "server/api/inputs_decoder.h"
#include "server/api/intervention_decoder.h"
#include "server/api/json_object.h"

namespace notbad::api {
namespace {

using service::AttentionMode;
using service::Negation;
using service::Truncate;

constexpr std::array<std::string_view, 6> kMembers = {"inputs",   "truncate",  "return_tokens",
                                                      "negation", "attention", "interventions"};
constexpr std::array<std::string_view, 3> kAttentionMembers = {"mode", "layers", "heads"};
constexpr std::array kTruncates = {Choice<Truncate>{"right", Truncate::kRight},
                                   Choice<Truncate>{"left", Truncate::kLeft},
                                   Choice<Truncate>{"error", Truncate::kError}};
constexpr std::array kNegations = {Choice<Negation>{"none", Negation::kNone},
                                   Choice<Negation>{"cues", Negation::kCues},
                                   Choice<Negation>{"effects", Negation::kEffects}};
constexpr std::array kModes = {Choice<AttentionMode>{"none", AttentionMode::kNone},
                               Choice<AttentionMode>{"summary", AttentionMode::kSummary},
                               Choice<AttentionMode>{"full", AttentionMode::kFull}};

std::vector<std::int64_t> all_below(std::int64_t end) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(end));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

// "all", the default, or a list of different indices below `end`.
std::vector<std::int64_t> decode_indices(const ObjectReader& reader, std::string_view name,
                                         std::int64_t end) {
  const JsonValue* value = reader.find(name);
  if (value == nullptr) return all_below(end);
  const std::string pointer = reader.pointer_of(name);
  if (const auto* text = std::get_if<std::string>(&value->data)) {
    if (*text == "all") return all_below(end);
    reader.complaints().add(ProblemCode::kInvalidOption, pointer,
                            "expected \"all\" or a list of indices");
    return {};
  }
  const auto* array = std::get_if<JsonArray>(&value->data);
  if (array == nullptr) {
    reader.complaints().add(ProblemCode::kBadRequest, pointer,
                            "expected \"all\" or a list of indices");
    return {};
  }
  if (array->empty())
    reader.complaints().add(ProblemCode::kInvalidOption, pointer, "expected at least one index");
  std::vector<std::int64_t> indices;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string item = pointer + "/" + std::to_string(i);
    const auto index = read_index((*array)[i], end, item, reader.complaints());
    if (!index) continue;
    if (std::ranges::find(indices, *index) != indices.end())
      reader.complaints().add(ProblemCode::kInvalidOption, item, "this index stands twice");
    indices.push_back(*index);
  }
  return indices;
}

void decode_attention(const JsonValue& value, const ClassifyBounds& bounds, Complaints& complaints,
                      service::ClassifyOptions& options) {
  const std::string pointer = "/attention";
  const auto* object = std::get_if<JsonObject>(&value.data);
  if (object == nullptr) {
    complaints.add(ProblemCode::kBadRequest, pointer, "expected an object");
    return;
  }
  const ObjectReader reader(*object, pointer, kAttentionMembers, complaints);
  options.attention = reader.choice<AttentionMode>("mode", kModes).value_or(AttentionMode::kNone);
  options.maps.layers = decode_indices(reader, "layers", bounds.num_layers);
  options.maps.heads = decode_indices(reader, "heads", bounds.num_heads);
  if (options.attention != AttentionMode::kSummary) return;
  if (reader.find("layers") != nullptr)
    complaints.add(ProblemCode::kInvalidOption, reader.pointer_of("layers"),
                   "the summary is of the last layer: leave layers out");
  options.maps.layers = {bounds.num_layers - 1};
}

Negation decode_negation(const ObjectReader& reader, const ClassifyBounds& bounds) {
  const Negation standard = bounds.has_negation ? Negation::kCues : Negation::kNone;
  const Negation negation = reader.choice<Negation>("negation", kNegations).value_or(standard);
  if (negation != Negation::kNone && !bounds.has_negation)
    reader.complaints().add(ProblemCode::kUnsupportedByModel, reader.pointer_of("negation"),
                            "the loaded model has other labels than two: only none is left");
  return negation;
}

}  // namespace

tl::expected<ClassifyCall, Problem> decode_classify(std::string_view body,
                                                    const ClassifyBounds& bounds) {
  const auto object = parse_object(body);
  if (!object) return tl::unexpected(object.error());
  Complaints complaints;
  const ObjectReader reader(*object, "", kMembers, complaints);
  ClassifyCall call;
  service::ClassifyOptions& options = call.request.options;
  call.is_list = is_input_list(reader);
  call.request.inputs = decode_inputs(reader, bounds.max_inputs);
  options.truncate = reader.choice<Truncate>("truncate", kTruncates).value_or(Truncate::kRight);
  call.return_tokens = reader.boolean("return_tokens").value_or(false);
  options.negation = decode_negation(reader, bounds);
  if (const JsonValue* attention = reader.find("attention"))
    decode_attention(*attention, bounds, complaints, options);
  if (const JsonValue* interventions = reader.find("interventions"))
    options.interventions = decode_interventions(*interventions, bounds, complaints);
  if (!complaints.is_empty()) return tl::unexpected(complaints.to_problem());
  return call;
}

}  // namespace notbad::api
