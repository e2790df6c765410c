#include "tokenizer/text_alignment.h"

#include <cstddef>
#include <optional>

#include "core/base/check.h"
#include "tokenizer/utf8.h"

namespace notbad::tokenizer {
namespace {

constexpr std::string_view kPieceBlank = "\u2581";  // how a piece writes a blank

// Drops the blanks at the front of `text`, in either spelling.
void skip_blanks(std::string_view& text) {
  for (;;) {
    if (text.starts_with(' ')) {
      text.remove_prefix(1);
    } else if (text.starts_with(kPieceBlank)) {
      text.remove_prefix(kPieceBlank.size());
    } else {
      return;
    }
  }
}

// Takes letters off both fronts until one of them is used up.
void take_common_letters(std::string_view& piece, std::string_view& target) {
  while (!piece.empty() && !target.empty()) {
    check(piece.front() == target.front(),
          "TextAlignment: the pieces do not spell what the rules make of the text");
    piece.remove_prefix(1);
    target.remove_prefix(1);
    skip_blanks(piece);
    skip_blanks(target);
  }
}

}  // namespace

TextAlignment::TextAlignment(std::string_view text, const NormalizationRules& rules)
    : rest_(text), rules_(rules) {}

TextRange TextAlignment::next(std::string_view piece) {
  std::optional<TextRange> range;
  skip_blanks(piece);
  while (!piece.empty()) {
    while (chunk_.target.empty()) advance();
    take_common_letters(piece, chunk_.target);
    if (!range) range = chunk_.source;
    range->bytes.end = chunk_.source.bytes.end;
    range->utf16.end = chunk_.source.utf16.end;
  }
  const Span no_bytes{chunk_.source.bytes.end, chunk_.source.bytes.end};
  const Span no_utf16{chunk_.source.utf16.end, chunk_.source.utf16.end};
  return range.value_or(TextRange{no_bytes, no_utf16});
}

void TextAlignment::advance() {
  check(!rest_.empty(), "TextAlignment: the pieces spell more than the text holds");
  const RuleMatch match = rules_.match(rest_);
  const std::string_view source = rest_.substr(0, static_cast<std::size_t>(match.source_bytes));
  // A rule may have to see the blank in front of a word, but the blank is no part of the word.
  const std::size_t letters = source.find_first_not_of(' ');
  skip_source(letters == std::string_view::npos ? source.size() : letters);
  chunk_.source.bytes.begin = chunk_.source.bytes.end;
  chunk_.source.utf16.begin = chunk_.source.utf16.end;
  if (letters != std::string_view::npos) skip_source(source.size() - letters);
  while (!rest_.empty()) {
    const RuleMatch vanishing = rules_.match(rest_);
    if (!vanishing.target.empty()) break;
    skip_source(static_cast<std::size_t>(vanishing.source_bytes));
  }
  chunk_.target = match.target;
  skip_blanks(chunk_.target);
}

void TextAlignment::skip_source(std::size_t bytes) {
  chunk_.source.bytes.end += static_cast<std::int64_t>(bytes);
  chunk_.source.utf16.end += utf16_units(rest_.substr(0, bytes));
  rest_.remove_prefix(bytes);
}

}  // namespace notbad::tokenizer
