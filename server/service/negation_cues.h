#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace notbad::service {

// Words that negate.
struct NegationCue {
  std::vector<std::int64_t> words;    // indices into Encoding::words
  std::string text;                   // as it stands in the text
  std::vector<std::int64_t> scope{};  // the words that it negates, where that is known
};

// What found the cues of a text.
enum class CueSource { kList, kModel };

// Whether the list has `normalized`, spelt as Word::normalized is.
bool is_negation_word(std::string_view normalized);

// The words of `cue` without the auxiliaries in front, of "was not" only "not": what has to go for
// the sentence to say the opposite. All its words where it is nothing but auxiliaries. Indices as
// in NegationCue::words; `encoding` is the one that the cue was found in.
std::vector<std::int64_t> negating_words(const NegationCue& cue,
                                         const tokenizer::Encoding& encoding);

// Finds negators by a list of words. It knows nothing of what they negate, nor whether they do.
// `text` is what `encoding` was made of.
std::vector<NegationCue> find_negation_cues(const tokenizer::Encoding& encoding,
                                            std::string_view text);

}  // namespace notbad::service
