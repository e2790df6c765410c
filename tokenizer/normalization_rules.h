#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace notbad::tokenizer {

// What the normaliser makes of the start of a text: its first `source_bytes` bytes become `target`.
struct RuleMatch {
  std::int64_t source_bytes = 0;
  std::string_view target;  // empty: the source vanishes, as an accent does
};

// The normalisation rules inside a SentencePiece model file. SentencePiece applies them itself but
// does not tell where a piece's letters came from once a rule has put blanks around them; reading
// the same rules restores that. Trusts nothing in the file. Immutable.
class NormalizationRules {
 public:
  // No rules: every text stays as it is.
  NormalizationRules() = default;

  // Takes the bytes of a model file; none where their rules cannot be read. A model may have
  // no rules.
  static std::optional<NormalizationRules> parse(std::string_view model);

  // The longest rule whose source starts `text`, or else its first code point, unchanged.
  // `text` is valid UTF-8 and not empty; the match lives as long as both.
  RuleMatch match(std::string_view text) const;

 private:
  std::vector<std::uint32_t> trie_;  // a double array, see the .cpp
  std::string targets_;              // each ended by NUL; the trie holds their offsets
};

}  // namespace notbad::tokenizer
