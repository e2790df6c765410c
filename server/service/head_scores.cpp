#include "server/service/head_scores.h"

#include <algorithm>

#include "core/base/check.h"

namespace notbad::service {
namespace {

struct Measured {
  float attention = 0;
  float baseline = 0;
};

float weight(ConstMatrixView map, std::int64_t row, std::int64_t column) {
  return map.row(row)[static_cast<std::size_t>(column)];
}

bool is_ordinary(const tokenizer::Encoding& encoding, std::int64_t token) {
  return token >= 0 && token < std::ssize(encoding.tokens) &&
         !encoding.tokens[static_cast<std::size_t>(token)].is_special();
}

std::vector<std::int64_t> ordinary_tokens(const tokenizer::Encoding& encoding) {
  std::vector<std::int64_t> tokens;
  for (std::int64_t i = 0; i < std::ssize(encoding.tokens); ++i) {
    if (is_ordinary(encoding, i)) tokens.push_back(i);
  }
  return tokens;
}

// The ordinary tokens beside `rows` that have an ordinary token `offset` further on.
std::vector<std::int64_t> other_rows(const tokenizer::Encoding& encoding,
                                     const std::vector<std::int64_t>& rows, std::int64_t offset) {
  std::vector<std::int64_t> others = ordinary_tokens(encoding);
  std::erase_if(others, [&](std::int64_t row) {
    return std::ranges::find(rows, row) != rows.end() || !is_ordinary(encoding, row + offset);
  });
  return others;
}

// Scores every map [T, T] of `maps` [L, H, T, T] and sorts; of equals the first head stays first.
template <class Measure>
std::vector<HeadScore> score_maps(const Tensor& maps, const tokenizer::Encoding& encoding,
                                  Measure measure) {
  const auto tokens = std::ssize(encoding.tokens);
  check(maps.shape().rank() == 4 && maps.dim(2) == tokens && maps.dim(3) == tokens,
        "score_maps: expected maps [L, H, T, T] of this encoding");
  std::vector<HeadScore> scores;
  const float* map = maps.data();
  for (std::int64_t layer = 0; layer < maps.dim(0); ++layer) {
    for (std::int64_t head = 0; head < maps.dim(1); ++head, map += tokens * tokens) {
      const auto [attention, baseline] = measure(ConstMatrixView(map, tokens, tokens));
      scores.push_back({layer, head, attention, baseline});
    }
  }
  std::ranges::stable_sort(scores, std::ranges::greater{}, &HeadScore::excess);
  return scores;
}

}  // namespace

std::vector<std::int64_t> tokens_of_word(const tokenizer::Encoding& encoding, std::int64_t word) {
  std::vector<std::int64_t> tokens;
  for (std::int64_t i = 0; i < std::ssize(encoding.tokens); ++i) {
    if (encoding.tokens[static_cast<std::size_t>(i)].word == word) tokens.push_back(i);
  }
  return tokens;
}

std::vector<HeadScore> attention_scores(const Tensor& maps, const tokenizer::Encoding& encoding,
                                        std::int64_t from, std::int64_t to) {
  const std::vector<std::int64_t> rows = tokens_of_word(encoding, from);
  const std::vector<std::int64_t> columns = tokens_of_word(encoding, to);
  check(!rows.empty() && !columns.empty(), "attention_scores: a word without tokens");
  const std::int64_t offset = columns.front() - rows.front();
  const std::vector<std::int64_t> others = other_rows(encoding, rows, offset);
  return score_maps(maps, encoding, [&](ConstMatrixView map) {
    Measured measured;
    for (const std::int64_t row : rows) {
      for (const std::int64_t column : columns) measured.attention += weight(map, row, column);
    }
    for (const std::int64_t row : others) measured.baseline += weight(map, row, row + offset);
    measured.attention /= static_cast<float>(rows.size());
    if (!others.empty()) measured.baseline /= static_cast<float>(others.size());
    return measured;
  });
}

std::vector<HeadScore> focus_scores(const Tensor& maps, const tokenizer::Encoding& encoding) {
  const std::vector<std::int64_t> ordinary = ordinary_tokens(encoding);
  return score_maps(maps, encoding, [&](ConstMatrixView map) {
    Measured measured;
    for (const std::int64_t row : ordinary) {
      float largest = 0;
      for (const std::int64_t column : ordinary) {
        if (column != row) largest = std::max(largest, weight(map, row, column));
      }
      measured.attention += largest;
    }
    if (!ordinary.empty()) measured.attention /= static_cast<float>(ordinary.size());
    return measured;
  });
}

}  // namespace notbad::service
