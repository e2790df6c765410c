#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/service/negation_cues.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// The word that `cue` turns, by its place: the next one that is neither a negator nor a small word
// such as "very" or "the"; at the end of the sentence the one before. None where the sentence holds
// nothing else. It chooses which link to show first, as the page does, and claims nothing of scope.
std::optional<std::int64_t> negation_target(const tokenizer::Encoding& encoding,
                                            const std::vector<NegationCue>& cues,
                                            const NegationCue& cue);

}  // namespace notbad::service
