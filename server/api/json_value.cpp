#include "server/api/json_value.h"

#include <utf8.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace notbad::api {
namespace {

// Receives the parser's events and builds the value; false stops the parser.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return put({nullptr}); }
  bool boolean(bool value) override { return put({value}); }
  bool number_integer(std::int64_t value) override { return put({value}); }
  bool number_unsigned(std::uint64_t value) override {
    if (std::in_range<std::int64_t>(value)) return put({static_cast<std::int64_t>(value)});
    return put({static_cast<double>(value)});
  }
  bool number_float(double value, const std::string& /*text*/) override { return put({value}); }
  bool string(std::string& value) override { return put({std::move(value)}); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override { return open({JsonObject{}}); }
  bool start_array(std::size_t /*size*/) override { return open({JsonArray{}}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    open_.back().name = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    problem_ = {ProblemCode::kInvalidJson,
                "the body is not JSON from byte " + std::to_string(position) + " on"};
    return false;
  }

  tl::expected<JsonValue, Problem> take() {
    if (problem_) return tl::unexpected(std::move(*problem_));
    return std::move(root_);
  }

 private:
  struct Open {
    JsonValue value;
    std::string name;  // of the member that comes next, in an object
  };

  bool put(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& parent = open_.back();
    if (auto* array = std::get_if<JsonArray>(&parent.value.data))
      array->push_back(std::move(value));
    else
      std::get<JsonObject>(parent.value.data).push_back({std::move(parent.name), std::move(value)});
    return true;
  }

  bool open(JsonValue value) {
    if (open_.size() == kMaxJsonDepth) {
      problem_ = {ProblemCode::kJsonTooDeep,
                  "the JSON is nested deeper than " + std::to_string(kMaxJsonDepth) + " levels"};
      return false;
    }
    open_.push_back({std::move(value), {}});
    return true;
  }

  bool close() {
    JsonValue value = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(value));
  }

  std::vector<Open> open_;
  JsonValue root_;
  std::optional<Problem> problem_;
};

}  // namespace

tl::expected<JsonValue, Problem> parse_json(std::string_view text) {
  const auto invalid = utf8::find_invalid(text.begin(), text.end());
  if (invalid != text.end())
    return tl::unexpected(Problem{
        ProblemCode::kInvalidUtf8,
        "the body is not UTF-8 from byte " + std::to_string(invalid - text.begin() + 1) + " on"});
  Builder builder;
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace notbad::api
