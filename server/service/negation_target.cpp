#include "server/service/negation_target.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "server/service/antonyms.h"

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

// What a target must be.
enum class Wanted { kWithOpposite, kNotSmall, kAny };

bool is_wanted(std::string_view word, Wanted wanted) {
  switch (wanted) {
    case Wanted::kWithOpposite:
      return opposite_of(word).has_value();
    case Wanted::kNotSmall:
      return !std::ranges::binary_search(kSmallWords, word);
    case Wanted::kAny:
      return true;
  }
  throw std::logic_error("is_wanted: no such wish");
}

class Candidates {
 public:
  Candidates(const tokenizer::Encoding& encoding, const std::vector<NegationCue>& cues)
      : words_(encoding.words), is_negator_(encoding.words.size(), false) {
    for (const NegationCue& cue : cues) {
      for (const std::int64_t word : cue.words) is_negator_[static_cast<std::size_t>(word)] = true;
    }
  }

  // The first wanted candidate from `begin` on in steps of `step`; of those in `scope` unless that
  // is empty.
  std::optional<std::int64_t> first(std::int64_t begin, std::int64_t step,
                                    const std::vector<std::int64_t>& scope, Wanted wanted) const {
    for (std::int64_t i = begin; i >= 0 && i < std::ssize(words_); i += step) {
      const std::string& word = words_[static_cast<std::size_t>(i)].normalized;
      if (is_negator_[static_cast<std::size_t>(i)] || !has_letters(word)) continue;
      if (!scope.empty() && std::ranges::find(scope, i) == scope.end()) continue;
      if (is_wanted(word, wanted)) return i;
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
  const auto nearest = [&](const std::vector<std::int64_t>& scope, Wanted wanted) {
    const auto word = candidates.first(after, 1, scope, wanted);
    return word ? word : candidates.first(before, -1, scope, wanted);
  };
  if (!cue.scope.empty()) {
    if (const auto word = candidates.first(after, 1, cue.scope, Wanted::kWithOpposite)) return word;
    for (const Wanted wanted : {Wanted::kNotSmall, Wanted::kAny})
      if (const auto word = nearest(cue.scope, wanted)) return word;
  }
  for (const Wanted wanted : {Wanted::kNotSmall, Wanted::kAny})
    if (const auto word = nearest({}, wanted)) return word;
  return std::nullopt;
}

std::optional<NegationLink> negation_link(const tokenizer::Encoding& encoding,
                                          const std::vector<NegationCue>& cues) {
  if (cues.empty()) return std::nullopt;
  const NegationCue& cue = cues.front();
  const auto target = negation_target(encoding, cues, cue);
  if (!target) return std::nullopt;
  const auto negator = std::ranges::find_if(cue.words, [&](std::int64_t word) {
    return is_negation_word(encoding.words[static_cast<std::size_t>(word)].normalized);
  });
  return NegationLink{*target, negator == cue.words.end() ? cue.words.front() : *negator};
}

}  // namespace notbad::service
