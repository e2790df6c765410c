#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace notbad::tokenizer {

// Half-open range [begin, end) of a text, cut on code points.
struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool operator==(const Span&) const = default;
};

// Where something stands in the text as the caller sent it, whatever the normaliser did to it.
struct TextRange {
  Span bytes;  // UTF-8 code units
  Span utf16;  // UTF-16 code units, as JavaScript counts
};

struct Token {
  std::int32_t id = 0;
  std::string piece;                 // as the model knows it, `▁` marking the start of a word
  std::optional<std::int64_t> word;  // index into Encoding::words; none for a special token
  std::optional<TextRange> range;    // none for a special token
  bool is_special() const { return !word.has_value(); }
};

// A word is a word-initial piece with the pieces that continue it; punctuation marks and the
// contraction tail `n't` are words of their own. Pieces made of one code point (`½`) are one word,
// and so is a run of unknown words, which SentencePiece joins into one piece. Words do not overlap.
struct Word {
  std::string normalized;  // lower-cased and free of accents, as the model reads it: "n't", "movie"
  TextRange range;
};

struct Encoding {
  std::vector<Token> tokens;      // first and last are special
  std::vector<Word> words;        // those with at least one token kept, in text order
  std::int64_t total_tokens = 0;  // what `tokens` would hold without truncation
  bool is_truncated() const { return total_tokens != static_cast<std::int64_t>(tokens.size()); }
  // Nothing but blanks: the encoder must not see it.
  bool is_empty() const { return words.empty(); }
};

enum class TruncateSide { kRight, kLeft };  // the side that is cut off

struct EncodeOptions {
  std::int64_t max_tokens = 256;  // special tokens included; at least 3
  TruncateSide truncate = TruncateSide::kRight;
};

// Turns text into the token ids that the model was trained on, and each token back into the place
// it came from. Lower-casing, accents, quotes and blanks are rules inside the model file, so that
// training and service cannot differ. Immutable after open(); encode() may be called from any
// thread.
class Tokenizer {
 public:
  // Fails with kBadModelFile where `model` is missing, is no SentencePiece model, lacks the first-
  // and last-token pieces or has byte pieces, which stand for parts of a code point.
  static Result<Tokenizer> open(const std::filesystem::path& model);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Fails with kInvalidUtf8, naming the first bad byte. Control pieces typed by a user (`[CLS]`)
  // are plain text. A text of blanks only gives an Encoding that is_empty().
  Result<Encoding> encode(std::string_view text, const EncodeOptions& options) const;

  std::int64_t vocab_size() const;  // V

 private:
  struct Impl;
  explicit Tokenizer(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace notbad::tokenizer
