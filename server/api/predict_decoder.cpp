#include "server/api/predict_decoder.h"

#include <array>
#include <string>

#include "server/api/inputs_decoder.h"
#include "server/api/json_object.h"

namespace notbad::api {
namespace {

constexpr std::array<std::string_view, 4> kMembers = {"inputs", "parameters", "truncate",
                                                      "raw_scores"};
constexpr std::array<std::string_view, 2> kParameters = {"top_k", "function_to_apply"};
constexpr std::array kFunctions = {Choice<ScoreFunction>{"softmax", ScoreFunction::kSoftmax},
                                   Choice<ScoreFunction>{"sigmoid", ScoreFunction::kSigmoid},
                                   Choice<ScoreFunction>{"none", ScoreFunction::kNone}};

// Clients send null for what was not set.
JsonObject without_nulls(JsonObject object) {
  std::erase_if(object, [](const JsonMember& member) {
    return std::holds_alternative<std::nullptr_t>(member.value.data);
  });
  return object;
}

std::int64_t decode_top_k(const ObjectReader& reader) {
  const JsonValue* value = reader.find("top_k");
  if (value == nullptr) return 0;
  const auto* count = std::get_if<std::int64_t>(&value->data);
  if (count != nullptr && *count >= 1) return *count;
  reader.complaints().add(count == nullptr ? ProblemCode::kBadRequest : ProblemCode::kInvalidOption,
                          reader.pointer_of("top_k"), "expected a whole number from 1 on");
  return 0;
}

void decode_parameters(const JsonValue& value, Complaints& complaints, PredictCall& call) {
  const std::string pointer = "/parameters";
  const auto* object = std::get_if<JsonObject>(&value.data);
  if (object == nullptr) {
    complaints.add(ProblemCode::kBadRequest, pointer, "expected an object");
    return;
  }
  const JsonObject parameters = without_nulls(*object);
  const ObjectReader reader(parameters, pointer, kParameters, complaints, UnknownMembers::kIgnore);
  call.top_k = decode_top_k(reader);
  call.function =
      reader.choice<ScoreFunction>("function_to_apply", kFunctions).value_or(call.function);
}

}  // namespace

tl::expected<PredictCall, Problem> decode_predict(std::string_view body, std::int64_t max_inputs) {
  const auto object = parse_object(body);
  if (!object) return tl::unexpected(object.error());
  Complaints complaints;
  const JsonObject members = without_nulls(*object);
  const ObjectReader reader(members, "", kMembers, complaints, UnknownMembers::kIgnore);
  PredictCall call;
  call.is_list = is_input_list(reader);
  call.request.inputs = decode_inputs(reader, max_inputs);
  const bool may_cut = reader.boolean("truncate").value_or(true);
  call.request.options.truncate = may_cut ? service::Truncate::kRight : service::Truncate::kError;
  if (reader.boolean("raw_scores").value_or(false)) call.function = ScoreFunction::kNone;
  if (const JsonValue* parameters = reader.find("parameters"))
    decode_parameters(*parameters, complaints, call);
  if (!complaints.is_empty()) return tl::unexpected(complaints.to_problem());
  return call;
}

}  // namespace notbad::api
