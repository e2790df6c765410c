#include "tokenizer/utf8.h"

#include <utf8.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace notbad::tokenizer {
namespace {

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::optional<std::int64_t> first_invalid_utf8(std::string_view text) {
  const auto invalid = utf8::find_invalid(text.begin(), text.end());
  if (invalid == text.end()) return std::nullopt;
  return invalid - text.begin();
}

std::int64_t code_point_bytes(std::string_view text) {
  const auto next = std::find_if_not(text.begin() + 1, text.end(), continues_code_point);
  return next - text.begin();
}

std::int64_t utf16_units(std::string_view text) {
  return std::transform_reduce(text.begin(), text.end(), std::int64_t{0}, std::plus<>(),
                               [](char byte) -> std::int64_t {
                                 if (continues_code_point(byte)) return 0;
                                 const bool needs_pair = static_cast<unsigned char>(byte) >= 0xF0;
                                 return needs_pair ? 2 : 1;
                               });
}

}  // namespace notbad::tokenizer
