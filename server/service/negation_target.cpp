#include "server/service/negation_target.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace notbad::service {
namespace {

// Skipped between a negator and its target: "not a very bad film" is about "bad". Sorted.
constexpr std::array<std::string_view, 39> kSmallWords = {
    "a",   "all",  "an",     "as",  "at",   "be",   "been", "being", "by",   "do",
    "for", "have", "i",      "in",  "is",   "it",   "me",   "my",    "of",   "on",
    "one", "our",  "really", "so",  "such", "that", "the",  "these", "this", "those",
    "to",  "too",  "very",   "was", "we",   "were", "with", "you",   "your"};
static_assert(std::ranges::is_sorted(kSmallWords));

bool has_letters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0;
  });
}

class Candidates {
 public:
  Candidates(const tokenizer::Encoding& encoding, const std::vector<NegationCue>& cues)
      : words_(encoding.words), is_negator_(encoding.words.size(), false) {
    for (const NegationCue& cue : cues) {
      for (const std::int64_t word : cue.words) is_negator_[static_cast<std::size_t>(word)] = true;
    }
  }

  // The first candidate from `begin` on in steps of `step`, small words included or not.
  std::optional<std::int64_t> first(std::int64_t begin, std::int64_t step,
                                    bool is_small_taken) const {
    for (std::int64_t i = begin; i >= 0 && i < std::ssize(words_); i += step) {
      const std::string& word = words_[static_cast<std::size_t>(i)].normalized;
      if (is_negator_[static_cast<std::size_t>(i)] || !has_letters(word)) continue;
      if (is_small_taken || !std::ranges::binary_search(kSmallWords, word)) return i;
    }
    return std::nullopt;
  }

 private:
  const std::vector<tokenizer::Word>& words_;
  std::vector<bool> is_negator_;
};

}  // namespace

std::optional<std::int64_t> negation_target(const tokenizer::Encoding& encoding,
                                            const std::vector<NegationCue>& cues,
                                            const NegationCue& cue) {
  const Candidates candidates(encoding, cues);
  const std::int64_t after = cue.words.back() + 1;
  const std::int64_t before = cue.words.front() - 1;
  for (const bool is_small_taken : {false, true}) {
    if (const auto word = candidates.first(after, 1, is_small_taken)) return word;
    if (const auto word = candidates.first(before, -1, is_small_taken)) return word;
  }
  return std::nullopt;
}

}  // namespace notbad::service
