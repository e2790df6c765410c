#include "server/service/negation_tagging.h"

#include <algorithm>

#include "core/base/check.h"

namespace notbad::service {
namespace {

bool is_cue_token(const model::NegationTags& tags, std::int64_t token) {
  const auto logits = tags.cue.matrix().row(token);  // [kNumCueClasses]
  const auto likeliest = std::ranges::max_element(logits) - logits.begin();
  return likeliest == static_cast<std::ptrdiff_t>(model::CueClass::kCue);
}

std::vector<bool> find_cue_words(const tokenizer::Encoding& encoding,
                                 const model::NegationTags& tags) {
  std::vector<bool> is_cue(encoding.words.size(), false);
  for (std::int64_t token = 0; token < std::ssize(encoding.tokens); ++token) {
    const auto word = encoding.tokens[static_cast<std::size_t>(token)].word;
    if (word && is_cue_token(tags, token)) is_cue[static_cast<std::size_t>(*word)] = true;
  }
  return is_cue;
}

bool has_contraction(const NegationCue& cue, const tokenizer::Encoding& encoding) {
  return std::ranges::any_of(cue.words, [&encoding](std::int64_t word) {
    return encoding.words[static_cast<std::size_t>(word)].normalized == "n't";
  });
}

std::string quote(const tokenizer::Encoding& encoding, std::string_view text,
                  const std::vector<std::int64_t>& words) {
  const auto range = [&](std::int64_t word) {
    return encoding.words[static_cast<std::size_t>(word)].range.bytes;
  };
  const auto begin = static_cast<std::size_t>(range(words.front()).begin);
  const auto end = static_cast<std::size_t>(range(words.back()).end);
  return std::string(text.substr(begin, end - begin));
}

bool is_in_scope(const model::NegationTags& tags, std::int64_t token,
                 const std::vector<std::int64_t>& cue_tokens) {
  const auto logits = tags.scope.matrix().row(token);  // [T]
  float sum = 0.0F;
  for (const std::int64_t cue_token : cue_tokens)
    sum += logits[static_cast<std::size_t>(cue_token)];
  return sum > 0.0F;
}

std::vector<std::int64_t> find_scope(const tokenizer::Encoding& encoding,
                                     const model::NegationTags& tags,
                                     const std::vector<std::int64_t>& cue_words) {
  const auto is_of_cue = [&](std::int64_t word) {
    return std::ranges::binary_search(cue_words, word);
  };
  std::vector<std::int64_t> cue_tokens;
  for (std::int64_t token = 0; token < std::ssize(encoding.tokens); ++token) {
    const auto word = encoding.tokens[static_cast<std::size_t>(token)].word;
    if (word && is_of_cue(*word)) cue_tokens.push_back(token);
  }
  std::vector<std::int64_t> scope;
  for (std::int64_t token = 0; token < std::ssize(encoding.tokens); ++token) {
    const auto word = encoding.tokens[static_cast<std::size_t>(token)].word;
    if (!word || is_of_cue(*word) || (!scope.empty() && scope.back() == *word)) continue;
    if (is_in_scope(tags, token, cue_tokens)) scope.push_back(*word);
  }
  return scope;
}

}  // namespace

std::vector<NegationCue> tagged_cues(const tokenizer::Encoding& encoding, std::string_view text,
                                     const model::NegationTags& tags) {
  const std::int64_t tokens = std::ssize(encoding.tokens);
  check(tags.cue.shape() == Shape{tokens, model::kNumCueClasses} &&
            tags.scope.shape() == Shape{tokens, tokens},
        "tagged_cues: expected the tags of this encoding");
  const std::vector<bool> is_cue = find_cue_words(encoding, tags);
  std::vector<NegationCue> cues;
  for (std::size_t word = 0; word < is_cue.size(); ++word) {
    if (!is_cue[word]) continue;
    if (word == 0 || !is_cue[word - 1]) cues.emplace_back();
    cues.back().words.push_back(static_cast<std::int64_t>(word));
  }
  for (NegationCue& cue : cues) {
    if (!has_contraction(cue, encoding)) cue.words = negating_words(cue, encoding);
    cue.text = quote(encoding, text, cue.words);
    cue.scope = find_scope(encoding, tags, cue.words);
  }
  return cues;
}

}  // namespace notbad::service
