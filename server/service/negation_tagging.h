#pragma once

#include <string_view>
#include <vector>

#include "core/model/negation_tags.h"
#include "server/service/negation_cues.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// Reads cues and scopes from what the model's tagging head says of `text`; `encoding` is that of
// `text`, `tags` those of its tokens. A word is part of a cue where one of its pieces is likeliest
// to be kCue, and neighbours are one cue; an auxiliary belongs to it in a contraction only
// ("wasn't", but of "was not" just "not"), which is how the SFU review corpus is marked. Words that
// negate themselves (kAffix) are no cue. A cue's scope are the other words with a piece whose mean
// scope logit over the cue's pieces is above 0.
std::vector<NegationCue> tagged_cues(const tokenizer::Encoding& encoding, std::string_view text,
                                     const model::NegationTags& tags);

}  // namespace notbad::service
