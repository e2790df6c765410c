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

// Also as they are cut before "n't": "ai" of "ain't", "ca", "sha", "wo". Sorted.
constexpr std::array<std::string_view, 28> kAuxiliaries = {
    "ai",  "am",    "are",    "be",  "been", "being", "ca",  "can",   "could", "did",
    "do",  "does",  "had",    "has", "have", "is",    "may", "might", "must",  "need",
    "sha", "shall", "should", "was", "were", "will",  "wo",  "would"};
static_assert(std::ranges::is_sorted(kAuxiliaries));

}  // namespace

bool is_negation_word(std::string_view normalized) {
  return std::ranges::binary_search(kCues, normalized);
}

std::vector<std::int64_t> negating_words(const NegationCue& cue,
                                         const tokenizer::Encoding& encoding) {
  const auto is_auxiliary = [&encoding](std::int64_t word) {
    const std::string& normalized = encoding.words[static_cast<std::size_t>(word)].normalized;
    return std::ranges::binary_search(kAuxiliaries, std::string_view(normalized));
  };
  const auto first = std::ranges::find_if_not(cue.words, is_auxiliary);
  if (first == cue.words.end()) return cue.words;
  return {first, cue.words.end()};
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
