#include "server/service/negation_cues.h"

#include <algorithm>
#include <array>

namespace notbad::service {
namespace {

// As Word::normalized spells them; sorted, for the binary search below.
constexpr std::array<std::string_view, 17> kCues = {
    "barely", "cannot", "hardly",  "n't",     "neither", "never",    "no",     "nobody", "none",
    "nor",    "not",    "nothing", "nowhere", "rarely",  "scarcely", "seldom", "without"};
static_assert(std::ranges::is_sorted(kCues));

}  // namespace

bool is_negation_word(std::string_view normalized) {
  return std::ranges::binary_search(kCues, normalized);
}

std::vector<NegationCue> find_negation_cues(const tokenizer::Encoding& encoding,
                                            std::string_view text) {
  std::vector<NegationCue> cues;
  for (std::size_t i = 0; i < encoding.words.size(); ++i) {
    const tokenizer::Word& word = encoding.words[i];
    if (!is_negation_word(word.normalized)) continue;
    const tokenizer::Span span = word.range.bytes;
    const auto begin = static_cast<std::size_t>(span.begin);
    const auto length = static_cast<std::size_t>(span.end - span.begin);
    cues.push_back({{static_cast<std::int64_t>(i)}, std::string(text.substr(begin, length))});
  }
  return cues;
}

}  // namespace notbad::service
