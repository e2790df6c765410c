#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/tensor.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// One number of a head, and what that number is without the thing that it is to show.
struct HeadScore {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  float attention = 0;  // in [0, 1]
  float baseline = 0;   // in [0, 1]
  float excess() const { return attention - baseline; }
};

// The tokens of a word, indices into Encoding::tokens.
std::vector<std::int64_t> tokens_of_word(const tokenizer::Encoding& encoding, std::int64_t word);

// For each head of `maps` [L, H, T, T] the attention that the word `from` gives to the word `to`,
// summed over the pieces of `to` and averaged over those of `from`. The baseline is the mean weight
// of that head at the same distance in tokens between all other tokens that are not special, so
// that a head which always looks at its neighbour does not pass for one that looks for `to`; 0
// where there is no other such pair. The largest excess first.
std::vector<HeadScore> attention_scores(const Tensor& maps, const tokenizer::Encoding& encoding,
                                        std::int64_t from, std::int64_t to);

// For each head how much a token that is not special looks at one other such token: the largest
// such weight of each row, averaged; without a baseline. The most focused head first. For sentences
// without a negator.
std::vector<HeadScore> focus_scores(const Tensor& maps, const tokenizer::Encoding& encoding);

}  // namespace notbad::service
