#include "server/api/intervention_decoder.h"

#include <array>
#include <optional>
#include <string>

namespace notbad::api {
namespace {

constexpr std::size_t kMaxInterventions = 4096;  // far above every link of a short sentence

enum class Kind { kHeadOff, kHeadUniform, kCut };

constexpr std::array kKinds = {Choice<Kind>{"head_off", Kind::kHeadOff},
                               Choice<Kind>{"head_uniform", Kind::kHeadUniform},
                               Choice<Kind>{"cut", Kind::kCut}};
constexpr std::array<std::string_view, 3> kHeadMembers = {"kind", "layer", "head"};
constexpr std::array<std::string_view, 6> kCutMembers = {"kind", "layer", "head",
                                                         "from", "to",    "renormalise"};

// The kind says which other members are known, so it is looked at first.
bool is_cut(const JsonObject& object) {
  for (const JsonMember& member : object) {
    const auto* text = std::get_if<std::string>(&member.value.data);
    if (member.name == "kind" && text != nullptr && *text == "cut") return true;
  }
  return false;
}

std::optional<model::Intervention> decode_one(const JsonObject& object, const std::string& pointer,
                                              const ClassifyBounds& bounds,
                                              Complaints& complaints) {
  const std::span<const std::string_view> known =
      is_cut(object) ? std::span<const std::string_view>(kCutMembers) : kHeadMembers;
  const ObjectReader reader(object, pointer, known, complaints);
  if (reader.find("kind") == nullptr)
    complaints.add(ProblemCode::kBadRequest, reader.pointer_of("kind"), "this member is missing");
  const auto kind = reader.choice<Kind>("kind", kKinds);
  const auto layer = reader.index("layer", bounds.num_layers);
  const auto head = reader.index("head", bounds.num_heads);
  if (!kind || !layer || !head) return std::nullopt;
  if (*kind == Kind::kHeadOff) return model::HeadOff{*layer, *head};
  if (*kind == Kind::kHeadUniform) return model::HeadUniform{*layer, *head};

  const auto from = reader.index("from", bounds.max_tokens);
  const auto to = reader.index("to", bounds.max_tokens);
  const bool renormalise = reader.boolean("renormalise").value_or(false);
  if (!from || !to) return std::nullopt;
  return model::CutLink{*layer, *head, *from, *to, renormalise};
}

}  // namespace

std::vector<model::Intervention> decode_interventions(const JsonValue& value,
                                                      const ClassifyBounds& bounds,
                                                      Complaints& complaints) {
  const std::string pointer = "/interventions";
  std::vector<model::Intervention> interventions;
  const auto* array = std::get_if<JsonArray>(&value.data);
  if (array == nullptr) {
    complaints.add(ProblemCode::kBadRequest, pointer, "expected a list of objects");
    return interventions;
  }
  if (array->size() > kMaxInterventions) {
    complaints.add(ProblemCode::kInvalidOption, pointer,
                   "expected at most " + std::to_string(kMaxInterventions) + " interventions");
    return interventions;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string item = pointer + "/" + std::to_string(i);
    const auto* object = std::get_if<JsonObject>(&(*array)[i].data);
    if (object == nullptr) {
      complaints.add(ProblemCode::kBadRequest, item, "expected an object");
      continue;
    }
    if (const auto intervention = decode_one(*object, item, bounds, complaints))
      interventions.push_back(*intervention);
  }
  return interventions;
}

}  // namespace notbad::api
