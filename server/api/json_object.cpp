#include "server/api/json_object.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace notbad::api {
namespace {

bool is_wrong_form(const ProblemItem& item) { return kind_of(item.code).status == 400; }

std::string list_of(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

}  // namespace

void Complaints::add(ProblemCode code, std::string pointer, std::string detail) {
  items_.push_back({code, std::move(pointer), std::move(detail)});
}

Problem Complaints::to_problem() const {
  check(!items_.empty(), "Complaints: expected at least one");
  std::vector<ProblemItem> items = items_;
  if (std::ranges::any_of(items, is_wrong_form))
    std::erase_if(items, [](const ProblemItem& item) { return !is_wrong_form(item); });
  std::string detail = items.front().detail;
  if (items.size() > 1) detail += " (the first of " + std::to_string(items.size()) + " problems)";
  return {items.front().code, std::move(detail), std::move(items)};
}

ObjectReader::ObjectReader(const JsonObject& object, std::string pointer,
                           std::span<const std::string_view> known, Complaints& complaints,
                           UnknownMembers unknown)
    : object_(object), pointer_(std::move(pointer)), complaints_(complaints) {
  std::vector<std::string_view> seen;
  bool has_unknown = false;
  for (const JsonMember& member : object) {
    const auto name = std::ranges::find(known, member.name);
    if (name == known.end())
      has_unknown = true;
    else if (std::ranges::find(seen, *name) != seen.end())
      complaints_.add(ProblemCode::kDuplicateMember, pointer_of(*name), "this member stands twice");
    else
      seen.push_back(*name);
  }
  if (has_unknown && unknown == UnknownMembers::kRefuse)
    complaints_.add(ProblemCode::kUnknownMember, pointer_,
                    "a member is unknown here, the known ones are " + list_of(known));
}

const JsonValue* ObjectReader::find(std::string_view name) const {
  const auto found = std::ranges::find(object_, name, &JsonMember::name);
  return found == object_.end() ? nullptr : &found->value;
}

std::optional<bool> ObjectReader::boolean(std::string_view name) const {
  const JsonValue* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* boolean = std::get_if<bool>(&value->data)) return *boolean;
  complaints_.add(ProblemCode::kBadRequest, pointer_of(name), "expected true or false");
  return std::nullopt;
}

std::optional<std::int64_t> ObjectReader::index(std::string_view name, std::int64_t end) const {
  if (const JsonValue* value = find(name))
    return read_index(*value, end, pointer_of(name), complaints_);
  complaints_.add(ProblemCode::kBadRequest, pointer_of(name), "this member is missing");
  return std::nullopt;
}

const std::string* ObjectReader::string(std::string_view name) const {
  const JsonValue* value = find(name);
  if (value == nullptr) return nullptr;
  const auto* text = std::get_if<std::string>(&value->data);
  if (text == nullptr)
    complaints_.add(ProblemCode::kBadRequest, pointer_of(name), "expected a string");
  return text;
}

tl::expected<JsonObject, Problem> parse_object(std::string_view body) {
  auto document = parse_json(body);
  if (!document) return tl::unexpected(std::move(document.error()));
  if (auto* object = std::get_if<JsonObject>(&document->data)) return std::move(*object);
  Complaints complaints;
  complaints.add(ProblemCode::kBadRequest, "", "expected an object");
  return tl::unexpected(complaints.to_problem());
}

std::optional<std::int64_t> read_index(const JsonValue& value, std::int64_t end,
                                       const std::string& pointer, Complaints& complaints) {
  const auto* index = std::get_if<std::int64_t>(&value.data);
  if (index == nullptr) {
    complaints.add(ProblemCode::kBadRequest, pointer, "expected a whole number");
    return std::nullopt;
  }
  if (*index < 0 || *index >= end) {
    complaints.add(ProblemCode::kInvalidOption, pointer,
                   "expected an index from 0 to " + std::to_string(end - 1));
    return std::nullopt;
  }
  return *index;
}

}  // namespace notbad::api
