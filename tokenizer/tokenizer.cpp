#include "tokenizer/tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/check.h"
#include "tokenizer/normalization_rules.h"
#include "tokenizer/text_alignment.h"
#include "tokenizer/utf8.h"

namespace notbad::tokenizer {
namespace {

constexpr std::string_view kPieceBlank = "\u2581";
constexpr std::int64_t kSpecialTokens = 2;

tl::unexpected<Error> bad_model(const std::filesystem::path& file, const std::string& fault) {
  return fail(ErrorCode::kBadModelFile, file.filename().string() + ": " + fault +
                                            " - restore the model directory, or make it again "
                                            "with weights/training");
}

std::optional<std::string> read_bytes(const std::filesystem::path& file) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(file, failure);  // fails for a directory
  if (failure) return std::nullopt;
  std::string bytes(size, '\0');
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return bytes;
}

bool has_byte_pieces(const sentencepiece::SentencePieceProcessor& processor) {
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    if (processor.IsByte(id)) return true;
  }
  return false;
}

// The rules of a model file cannot name NUL, so it becomes the blank that it looks like here.
std::string without_nul(std::string_view text) {
  std::string copy(text);
  std::ranges::replace(copy, '\0', ' ');
  return copy;
}

// Adds the letters of `piece`; a run of unknown words is one piece and keeps its inner blanks.
void append_letters(std::string& letters, std::string_view piece) {
  if (piece.starts_with(kPieceBlank)) piece.remove_prefix(kPieceBlank.size());
  for (std::size_t blank; (blank = piece.find(kPieceBlank)) != std::string_view::npos;) {
    letters.append(piece.substr(0, blank)).push_back(' ');
    piece.remove_prefix(blank + kPieceBlank.size());
  }
  letters.append(piece);
}

// Groups `tokens` (all of a text's, or what is left of them) into words and numbers them.
// No border of words falls into a code point: `½` is one word of three pieces.
std::vector<Word> group_words(std::vector<Token>& tokens) {
  std::vector<Word> words;
  for (Token& token : tokens) {
    if (!token.range) continue;  // a special token
    const TextRange& range = *token.range;
    const bool starts_word = token.piece.starts_with(kPieceBlank) &&
                             (words.empty() || range.bytes.begin >= words.back().range.bytes.end);
    if (words.empty() || starts_word) words.push_back({"", range});
    Word& word = words.back();
    word.range.bytes.end = range.bytes.end;
    word.range.utf16.end = range.utf16.end;
    append_letters(word.normalized, token.piece);
    token.word = static_cast<std::int64_t>(words.size()) - 1;
  }
  return words;
}

void truncate(std::vector<Token>& tokens, std::int64_t kept, TruncateSide side) {
  const std::int64_t surplus = static_cast<std::int64_t>(tokens.size()) - kept;
  if (surplus <= 0) return;
  if (side == TruncateSide::kLeft) {
    tokens.erase(tokens.begin(), tokens.begin() + surplus);
  } else {
    tokens.erase(tokens.end() - surplus, tokens.end());
  }
}

}  // namespace

struct Tokenizer::Impl {
  sentencepiece::SentencePieceProcessor processor;
  NormalizationRules rules;
  Token first;  // the special tokens that frame every text
  Token last;

  std::vector<Token> content_tokens(const std::string& text) const;
};

std::vector<Token> Tokenizer::Impl::content_tokens(const std::string& text) const {
  sentencepiece::ImmutableSentencePieceText encoded;
  check(processor.Encode(text, encoded.mutable_proto()).ok(),
        "Tokenizer: SentencePiece failed on valid UTF-8");
  TextAlignment alignment(text, rules);
  std::vector<Token> tokens;
  tokens.reserve(encoded.pieces_size() + kSpecialTokens);
  for (const auto& piece : encoded.pieces()) {
    const auto id = static_cast<std::int32_t>(piece.id());
    tokens.push_back({id, piece.piece(), std::nullopt, alignment.next(piece.piece())});
  }
  return tokens;
}

Result<Tokenizer> Tokenizer::open(const std::filesystem::path& model) {
  const auto bytes = read_bytes(model);
  if (!bytes) return bad_model(model, "missing or not readable");
  auto rules = NormalizationRules::parse(*bytes);
  if (!rules) return bad_model(model, "not a SentencePiece model, or cut short");
  auto impl = std::make_unique<Impl>();
  impl->rules = std::move(*rules);
  auto& processor = impl->processor;
  if (!processor.LoadFromSerializedProto(*bytes).ok()) {
    return bad_model(model, "not a SentencePiece model, or cut short");
  }
  const int first = processor.bos_id();
  const int last = processor.eos_id();
  if (first < 0 || last < 0) return bad_model(model, "has no control pieces that frame a text");
  if (has_byte_pieces(processor)) {
    return bad_model(model, "has byte pieces, which have no place in a text");
  }
  impl->first = {first, processor.IdToPiece(first), std::nullopt, std::nullopt};
  impl->last = {last, processor.IdToPiece(last), std::nullopt, std::nullopt};
  return Tokenizer(std::move(impl));
}

Tokenizer::Tokenizer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Encoding> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  check(options.max_tokens > kSpecialTokens, "Tokenizer: max_tokens leaves no room for text");
  if (const auto position = first_invalid_utf8(text)) {
    return fail(ErrorCode::kInvalidUtf8,
                "text: byte " + std::to_string(*position) + " is not UTF-8 - send valid UTF-8");
  }
  Encoding encoding;
  encoding.tokens = impl_->content_tokens(without_nul(text));
  encoding.total_tokens = static_cast<std::int64_t>(encoding.tokens.size()) + kSpecialTokens;
  truncate(encoding.tokens, options.max_tokens - kSpecialTokens, options.truncate);
  encoding.words = group_words(encoding.tokens);
  encoding.tokens.insert(encoding.tokens.begin(), impl_->first);
  encoding.tokens.push_back(impl_->last);
  return encoding;
}

std::int64_t Tokenizer::vocab_size() const { return impl_->processor.GetPieceSize(); }

}  // namespace notbad::tokenizer
