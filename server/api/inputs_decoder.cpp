#include "server/api/inputs_decoder.h"

#include <utility>

namespace notbad::api {

std::vector<std::string> decode_inputs(const ObjectReader& reader, std::int64_t max_inputs) {
  const std::string pointer = reader.pointer_of("inputs");
  const JsonValue* value = reader.find("inputs");
  if (value != nullptr) {
    if (const auto* text = std::get_if<std::string>(&value->data)) return {*text};
  }
  const auto* array = value == nullptr ? nullptr : std::get_if<JsonArray>(&value->data);
  if (array == nullptr) {
    reader.complaints().add(ProblemCode::kBadRequest, pointer,
                            "expected a string or a list of strings");
    return {};
  }
  if (array->empty())
    reader.complaints().add(ProblemCode::kEmptyInput, pointer,
                            "no text was sent: send at least one");
  if (std::cmp_greater(array->size(), max_inputs))
    reader.complaints().add(ProblemCode::kBatchTooLarge, pointer,
                            std::to_string(array->size()) + " texts exceed the " +
                                std::to_string(max_inputs) + " of one request");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < array->size(); ++i) {
    if (const auto* text = std::get_if<std::string>(&(*array)[i].data))
      texts.push_back(*text);
    else
      reader.complaints().add(ProblemCode::kBadRequest, pointer + "/" + std::to_string(i),
                              "expected a string");
  }
  return texts;
}

bool is_input_list(const ObjectReader& reader) {
  const JsonValue* inputs = reader.find("inputs");
  return inputs != nullptr && std::holds_alternative<JsonArray>(inputs->data);
}

}  // namespace notbad::api
