#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/cli/terminal.h"
#include "server/service/sentiment.h"

namespace notbad::cli {

// The sentence, its label and its `num_heads` strongest heads as text: with a negator those in
// which its target looks at it most, else the most focused ones. `sentiment` carries the full maps
// of every layer and head of `text`, and its cues.
std::string draw_sentiment(std::string_view text, const service::Sentiment& sentiment,
                           const std::vector<std::string>& labels, std::int64_t num_heads,
                           const Terminal& terminal);

}  // namespace notbad::cli
