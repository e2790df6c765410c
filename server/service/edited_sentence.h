#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/interventions.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// A sentence as it was sent, or after edits, as the tokenizer reads it.
struct Sentence {
  std::string text;
  tokenizer::Encoding encoding;
  // For each of its words the word of the sentence as sent that it is or stands in for. Of another
  // length where an edit has made the tokenizer cut the rest into other words.
  std::vector<std::int64_t> origins;
};

// The sentence as sent. `encoding` is that of `text`.
Sentence original_sentence(std::string text, tokenizer::Encoding encoding);

// Edits sentences and reads them again; borrows the tokenizer.
class SentenceEditor {
 public:
  SentenceEditor(const tokenizer::Tokenizer& tokenizer, std::int64_t max_tokens)
      : tokenizer_(tokenizer), max_tokens_(max_tokens) {}

  // Without `words`, ascending indices into the words of `sentence`. None where nothing is left to
  // read.
  std::optional<Sentence> without(const Sentence& sentence,
                                  std::span<const std::int64_t> words) const;

  // With `replacement` for one word. None where the tokenizer then finds other words.
  std::optional<Sentence> with_replaced(const Sentence& sentence, std::int64_t word,
                                        std::string_view replacement) const;

 private:
  Sentence read(std::string text, std::vector<std::int64_t> origins) const;

  const tokenizer::Tokenizer& tokenizer_;
  std::int64_t max_tokens_;
};

// Interventions meant for `original` as they apply to an edit of it. A cut link stays cut between
// the same pieces of the same words, a replaced word standing in for the one that it replaces, and
// is dropped where one of them is gone; special tokens stay first and last.
std::vector<model::Intervention> carried_over(std::span<const model::Intervention> interventions,
                                              const Sentence& original, const Sentence& edited);

}  // namespace notbad::service
