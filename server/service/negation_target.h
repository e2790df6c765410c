#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/service/negation_cues.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// The word that `cue` turns. Where its scope is known, the next word of it that has an opposite
// ("boring" in "would not call this boring"). Else of the scope, or of all words, the next one that
// is neither a negator nor a small word such as "very" or "the"; where none follows the one before.
// A small word where there is no other; none where the sentence holds nothing else. It chooses
// which link to show first.
std::optional<std::int64_t> negation_target(const tokenizer::Encoding& encoding,
                                            const std::vector<NegationCue>& cues,
                                            const NegationCue& cue);

// The link that heads are compared by, between words.
struct NegationLink {
  std::int64_t from = 0;  // the target of the first cue
  std::int64_t to = 0;    // the word of that cue that is a negator by itself, else its first
};

// None without a cue or without a target.
std::optional<NegationLink> negation_link(const tokenizer::Encoding& encoding,
                                          const std::vector<NegationCue>& cues);

}  // namespace notbad::service
