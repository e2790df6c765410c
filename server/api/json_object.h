#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/json_value.h"

namespace notbad::api {

// Collects everything that is wrong with a request, so that one answer names it all.
class Complaints {
 public:
  void add(ProblemCode code, std::string pointer, std::string detail);
  bool is_empty() const { return items_.empty(); }

  // Wrong form (400) goes before impossible values (422): where there is any of the first, only
  // those are listed.
  Problem to_problem() const;

 private:
  std::vector<ProblemItem> items_;
};

// Names that an option may have, and what each stands for.
template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};

enum class UnknownMembers { kRefuse, kIgnore };

// One object of a request, read strictly: complains at once about members that are unknown, unless
// they are to be ignored, and about known ones that stand twice. Names in the request never reach a
// message. Borrows all it is given.
class ObjectReader {
 public:
  ObjectReader(const JsonObject& object, std::string pointer,
               std::span<const std::string_view> known, Complaints& complaints,
               UnknownMembers unknown = UnknownMembers::kRefuse);

  // Null where the member is missing.
  const JsonValue* find(std::string_view name) const;

  // Each gives nothing where the member is missing or wrong; the latter adds a complaint.
  std::optional<bool> boolean(std::string_view name) const;
  std::optional<std::int64_t> index(std::string_view name, std::int64_t end) const;
  template <class Value>
  std::optional<Value> choice(std::string_view name, std::span<const Choice<Value>> choices) const {
    const std::string* text = string(name);
    if (text == nullptr) return std::nullopt;
    for (const auto& choice : choices)
      if (choice.name == *text) return choice.value;
    std::string names;
    for (const auto& choice : choices)
      names += (names.empty() ? "" : ", ") + std::string(choice.name);
    complaints_.add(ProblemCode::kInvalidOption, pointer_of(name), "expected one of " + names);
    return std::nullopt;
  }

  std::string pointer_of(std::string_view name) const { return pointer_ + "/" + std::string(name); }
  const std::string& pointer() const { return pointer_; }
  Complaints& complaints() const { return complaints_; }

 private:
  const std::string* string(std::string_view name) const;

  const JsonObject& object_;
  std::string pointer_;
  Complaints& complaints_;
};

// The body of a request, which has to be one JSON object.
tl::expected<JsonObject, Problem> parse_object(std::string_view body);

// An index from 0 to end - 1. Complains at `pointer` and gives nothing otherwise.
std::optional<std::int64_t> read_index(const JsonValue& value, std::int64_t end,
                                       const std::string& pointer, Complaints& complaints);

}  // namespace notbad::api
