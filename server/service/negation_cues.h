#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace notbad::service {

// Words that negate.
struct NegationCue {
  std::vector<std::int64_t> words;  // indices into Encoding::words
  std::string text;                 // as it stands in the text
};

// Finds negators by a list of words. It knows nothing of what they negate, nor whether they do.
// `text` is what `encoding` was made of.
std::vector<NegationCue> find_negation_cues(const tokenizer::Encoding& encoding,
                                            std::string_view text);

}  // namespace notbad::service
