#include "server/service/edited_sentence.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "server/service/head_scores.h"
#include "server/service/text_edit.h"

namespace notbad::service {
namespace {

// The token of `edited` that the token `index` of `original` has become.
std::optional<std::int64_t> token_in(const Sentence& edited, const Sentence& original,
                                     std::int64_t index) {
  const auto& token = original.encoding.tokens[static_cast<std::size_t>(index)];
  if (!token.word) return index == 0 ? 0 : std::ssize(edited.encoding.tokens) - 1;
  if (edited.origins.size() != edited.encoding.words.size()) return std::nullopt;
  const auto origin = std::ranges::find(edited.origins, *token.word);
  if (origin == edited.origins.end()) return std::nullopt;
  const std::int64_t piece = index - tokens_of_word(original.encoding, *token.word).front();
  const auto tokens = tokens_of_word(edited.encoding, origin - edited.origins.begin());
  if (piece >= std::ssize(tokens)) return std::nullopt;
  return tokens[static_cast<std::size_t>(piece)];
}

}  // namespace

Sentence original_sentence(std::string text, tokenizer::Encoding encoding) {
  std::vector<std::int64_t> origins(encoding.words.size());
  std::iota(origins.begin(), origins.end(), 0);
  return {std::move(text), std::move(encoding), std::move(origins)};
}

std::optional<Sentence> SentenceEditor::without(const Sentence& sentence,
                                                std::span<const std::int64_t> words) const {
  std::vector<std::int64_t> origins;
  for (std::int64_t word = 0; word < std::ssize(sentence.origins); ++word) {
    if (std::ranges::find(words, word) == words.end())
      origins.push_back(sentence.origins[static_cast<std::size_t>(word)]);
  }
  Sentence edited =
      read(without_words(sentence.text, sentence.encoding, words), std::move(origins));
  if (edited.encoding.is_empty()) return std::nullopt;
  return edited;
}

std::optional<Sentence> SentenceEditor::with_replaced(const Sentence& sentence, std::int64_t word,
                                                      std::string_view replacement) const {
  Sentence edited = read(with_word_replaced(sentence.text, sentence.encoding, word, replacement),
                         sentence.origins);
  if (edited.encoding.words.size() != edited.origins.size()) return std::nullopt;
  return edited;
}

Sentence SentenceEditor::read(std::string text, std::vector<std::int64_t> origins) const {
  auto encoding = tokenizer_.encode(text, {.max_tokens = max_tokens_});
  check(encoding.has_value(), "SentenceEditor: an edit broke the text");
  return {std::move(text), std::move(*encoding), std::move(origins)};
}

std::vector<model::Intervention> carried_over(std::span<const model::Intervention> interventions,
                                              const Sentence& original, const Sentence& edited) {
  std::vector<model::Intervention> carried;
  for (const model::Intervention& intervention : interventions) {
    const auto* cut = std::get_if<model::CutLink>(&intervention);
    if (cut == nullptr) {
      carried.push_back(intervention);
      continue;
    }
    const auto from = token_in(edited, original, cut->from);
    const auto to = token_in(edited, original, cut->to);
    if (from && to)
      carried.emplace_back(model::CutLink{cut->layer, cut->head, *from, *to, cut->renormalise});
  }
  return carried;
}

}  // namespace notbad::service
