#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model_config.h"
#include "server/cli/terminal.h"
#include "server/service/sentiment.h"

namespace notbad::cli {

// Which heads are drawn.
struct ShownHeads {
  std::int64_t count = 0;
  std::optional<model::HeadIndex> negation_head;  // the model's; the first one with a negator
};

// The sentence, its label and its strongest heads as text: with a negator those in which its target
// looks at it most, else the most focused ones. `sentiment` carries the full maps of every layer
// and head of `text`, and its cues.
std::string draw_sentiment(std::string_view text, const service::Sentiment& sentiment,
                           const std::vector<std::string>& labels, const ShownHeads& heads,
                           const Terminal& terminal);

}  // namespace notbad::cli
