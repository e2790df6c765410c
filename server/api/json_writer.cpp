#include "server/api/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

namespace notbad::api {
namespace {

constexpr int kSignificantDigits = 5;
constexpr std::uint32_t kTenToDigits = 100'000;
constexpr std::size_t kNumberBytes = 32;

template <class Value, class... Format>
void append_number(std::string& text, Value value, Format... format) {
  std::array<char, kNumberBytes> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  text.append(buffer.data(), result.ptr);
}

// Weights from 1e-5 up, by integer arithmetic: about all that a softmax gives.
void append_fraction(std::string& text, float value) {
  constexpr double kSmallestScaled = 10'000.0;  // a number of kSignificantDigits digits
  double scaled = static_cast<double>(value) * kTenToDigits;
  int leading_zeros = 0;
  while (scaled < kSmallestScaled) {
    scaled *= 10;
    ++leading_zeros;
  }
  auto digits = static_cast<std::uint32_t>(std::lround(scaled));
  if (digits == kTenToDigits) {  // rounded up to the next power of ten
    if (leading_zeros == 0) {
      text += '1';
      return;
    }
    digits /= 10;
    --leading_zeros;
  }
  std::array<char, kSignificantDigits> buffer{};
  for (int i = kSignificantDigits - 1; i >= 0; --i, digits /= 10)
    buffer[static_cast<std::size_t>(i)] = static_cast<char>('0' + digits % 10);
  auto length = buffer.size();
  while (buffer[length - 1] == '0') --length;
  text += "0.";
  text.append(static_cast<std::size_t>(leading_zeros), '0');
  text.append(buffer.data(), length);
}

void append_weight(std::string& text, float value) {
  constexpr float kSmallest = 1e-5F;
  if (value == 0.0F)
    text += '0';
  else if (value >= kSmallest && value < 1.0F)
    append_fraction(text, value);
  else
    append_number(text, value, std::chars_format::general, kSignificantDigits);
}

void append_escaped(std::string& text, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') {
    text += '\\';
    text += c;
  } else if (byte < 0x20) {
    text += "\\u00";
    text += kHex[byte >> 4U];
    text += kHex[byte & 15U];
  } else {
    text += c;
  }
}

}  // namespace

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
  return *this;
}

void JsonWriter::separate() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  string(name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view value) {
  separate();
  text_ += '"';
  for (const char c : value) append_escaped(text_, c);
  text_ += '"';
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  separate();
  append_number(text_, value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  text_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonWriter& JsonWriter::number(float value) {
  separate();
  append_number(text_, value);
  return *this;
}

JsonWriter& JsonWriter::weights(std::span<const float> values) {
  begin_array();
  for (const float value : values) {
    separate();
    append_weight(text_, value);
  }
  return end_array();
}

}  // namespace notbad::api
