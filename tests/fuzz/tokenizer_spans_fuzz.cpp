// Texts, with the shipped tokenizer: spans cut the text as sent on code points, in both units, and
// stand in order; a limit is kept.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/memory_file.h"
#include "tests/support/test_files.h"
#include "tokenizer/tokenizer.h"

using namespace notbad;
using fuzzing::require;

namespace {

bool is_boundary(std::string_view text, std::int64_t position) {
  if (position < 0 || position > static_cast<std::int64_t>(text.size())) return false;
  const auto at = static_cast<std::size_t>(position);
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

// Code points up to U+FFFF are one unit, those beyond have four bytes in UTF-8 and two units.
std::int64_t utf16_length(std::string_view text) {
  return std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0U) != 0x80U; }) +
         std::ranges::count_if(text, [](unsigned char c) { return c >= 0xF0U; });
}

void check_range(std::string_view text, const tokenizer::TextRange& range) {
  const auto& [begin, end] = range.bytes;
  require(begin <= end && is_boundary(text, begin) && is_boundary(text, end));
  require(range.utf16.begin == utf16_length(text.substr(0, static_cast<std::size_t>(begin))));
  require(range.utf16.end == utf16_length(text.substr(0, static_cast<std::size_t>(end))));
}

void check(std::string_view text, const tokenizer::Encoding& encoding, std::int64_t max_tokens) {
  require(static_cast<std::int64_t>(encoding.tokens.size()) <= max_tokens);
  require(encoding.total_tokens >= static_cast<std::int64_t>(encoding.tokens.size()));
  std::int64_t previous = 0;
  for (const tokenizer::Token& token : encoding.tokens) {
    require(token.is_special() == !token.range.has_value());
    if (token.is_special()) continue;
    check_range(text, *token.range);
    require(token.range->bytes.begin >= previous);
    previous = token.range->bytes.begin;
    require(*token.word >= 0 && *token.word < static_cast<std::int64_t>(encoding.words.size()));
  }
  std::int64_t end = 0;
  for (const tokenizer::Word& word : encoding.words) {
    check_range(text, word.range);
    require(word.range.bytes.begin >= end);
    end = word.range.bytes.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto shipped =
      tokenizer::Tokenizer::open(test_files::shipped_model() / "tokenizer.model");
  require(shipped.has_value());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto side : {tokenizer::TruncateSide::kRight, tokenizer::TruncateSide::kLeft})
    for (const std::int64_t max_tokens : {3, 256}) {
      const auto encoding = shipped->encode(text, {max_tokens, side});
      if (encoding)
        check(text, *encoding, max_tokens);
      else
        require(encoding.error().code == ErrorCode::kInvalidUtf8);
    }
  return 0;
}
