#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "server/api/problem.h"

namespace notbad::api {

struct JsonValue;
struct JsonMember;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in order, doubles kept, so that they can be refused

// A document as it was sent. A number that is no 64-bit integer is a double.
struct JsonValue {
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, JsonArray, JsonObject> data;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

inline constexpr std::size_t kMaxJsonDepth = 64;

// Reads all of `text`; a byte order mark in front is allowed. Fails with kInvalidUtf8, kInvalidJson
// (both with the byte's position) or kJsonTooDeep, before anything grows with the nesting.
tl::expected<JsonValue, Problem> parse_json(std::string_view text);

}  // namespace notbad::api
