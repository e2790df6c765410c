#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace notbad::api {

// Writes JSON text piece by piece, without a tree: attention maps have a million numbers. The
// caller keeps begin and end in step and passes valid UTF-8; the writer sets commas and escapes.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view value);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& boolean(bool value);
  JsonWriter& null();

  // The shortest text that reads back as the same float; `value` is finite.
  JsonWriter& number(float value);

  // A whole array at 5 significant digits: 256 of them still sum to 1 within 1e-3.
  JsonWriter& weights(std::span<const float> values);

  // Room for `bytes` in all, where the size can be foreseen: doubling would take half as much
  // again.
  void reserve(std::size_t bytes) { text_.reserve(bytes); }

  std::string take() { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace notbad::api
