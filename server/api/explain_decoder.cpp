#include "server/api/explain_decoder.h"

#include <array>
#include <string>

#include "server/api/intervention_decoder.h"
#include "server/api/json_object.h"

namespace notbad::api {
namespace {

constexpr std::array<std::string_view, 2> kMembers = {"input", "interventions"};

std::string decode_input(const ObjectReader& reader) {
  const JsonValue* value = reader.find("input");
  if (value != nullptr) {
    if (const auto* text = std::get_if<std::string>(&value->data)) return *text;
  }
  reader.complaints().add(ProblemCode::kBadRequest, reader.pointer_of("input"),
                          "expected a string, the one sentence to explain");
  return {};
}

}  // namespace

tl::expected<service::ExplainRequest, Problem> decode_explain(std::string_view body,
                                                              const ClassifyBounds& bounds) {
  const auto object = parse_object(body);
  if (!object) return tl::unexpected(object.error());
  Complaints complaints;
  const ObjectReader reader(*object, "", kMembers, complaints);
  service::ExplainRequest request;
  request.input = decode_input(reader);
  if (const JsonValue* interventions = reader.find("interventions"))
    request.interventions = decode_interventions(*interventions, bounds, complaints);
  if (!bounds.has_negation)
    complaints.add(ProblemCode::kUnsupportedByModel, "",
                   "the loaded model has other labels than two: only classify is left");
  if (!complaints.is_empty()) return tl::unexpected(complaints.to_problem());
  return request;
}

}  // namespace notbad::api
