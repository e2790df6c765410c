#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/test_files.h"
#include "tokenizer/normalization_rules.h"
#include "tokenizer/tokenizer.h"

namespace notbad::tokenizer {

inline const std::filesystem::path kShippedFile = test_files::shipped_model() / "tokenizer.model";

inline std::string read_shipped_bytes() {
  std::ifstream stream(kShippedFile, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline const NormalizationRules& shipped_rules() {
  static const auto rules = NormalizationRules::parse(read_shipped_bytes());
  return rules.value();
}

inline const Tokenizer& shipped_tokenizer() {
  static const Result<Tokenizer> tokenizer = Tokenizer::open(kShippedFile);
  if (!tokenizer) throw std::runtime_error(tokenizer.error().message);
  return *tokenizer;
}

// The whole of `text`, however long, with the special tokens.
inline Encoding encode(std::string_view text) {
  auto encoding = shipped_tokenizer().encode(text, {.max_tokens = 1'000'000});
  if (!encoding) throw std::runtime_error(encoding.error().message);
  return std::move(*encoding);
}

inline std::string cut(std::string_view text, const Span& bytes) {
  const auto begin = static_cast<std::size_t>(bytes.begin);
  return std::string(text.substr(begin, static_cast<std::size_t>(bytes.end) - begin));
}

inline std::vector<std::string> pieces_of(const Encoding& encoding) {
  std::vector<std::string> pieces;
  for (const Token& token : encoding.tokens) {
    if (!token.is_special()) pieces.push_back(token.piece);
  }
  return pieces;
}

inline std::vector<std::int32_t> ids_of(const Encoding& encoding) {
  std::vector<std::int32_t> ids;
  for (const Token& token : encoding.tokens) ids.push_back(token.id);
  return ids;
}

// What the page would show for each token: the part of `text` that it stands for.
inline std::vector<std::string> labels_of(std::string_view text) {
  std::vector<std::string> labels;
  for (const Token& token : encode(text).tokens) {
    if (token.range) labels.push_back(cut(text, token.range->bytes));
  }
  return labels;
}

inline std::vector<std::string> word_labels_of(std::string_view text) {
  std::vector<std::string> labels;
  for (const Word& word : encode(text).words) labels.push_back(cut(text, word.range.bytes));
  return labels;
}

}  // namespace notbad::tokenizer
