#include "server/service/head_kinds.h"

#include <gtest/gtest.h>

#include <vector>

namespace notbad::service {
namespace {

constexpr std::int64_t kTokens = 6;

// [CLS] w0 w1 w2 w3 [SEP]
tokenizer::Encoding four_words() {
  tokenizer::Encoding encoding;
  encoding.tokens.resize(static_cast<std::size_t>(kTokens));
  for (std::int64_t word = 0; word < 4; ++word) {
    encoding.tokens[static_cast<std::size_t>(word) + 1].word = word;
    encoding.words.emplace_back();
  }
  return encoding;
}

// A map [6, 6] whose rows put `weight` on the token at `offset` and the rest evenly elsewhere.
class Map {
 public:
  Map(std::int64_t offset, float weight) {
    for (std::int64_t from = 0; from < kTokens; ++from) {
      const std::int64_t favourite = (from + offset + kTokens) % kTokens;
      for (std::int64_t to = 0; to < kTokens; ++to)
        at(from, to) = to == favourite ? weight : (1 - weight) / (kTokens - 1);
    }
  }
  float& at(std::int64_t from, std::int64_t to) {
    return weights_[static_cast<std::size_t>(from * kTokens + to)];
  }
  HeadKind kind() const {
    return head_kind(ConstMatrixView(weights_.data(), kTokens, kTokens), four_words());
  }

 private:
  std::vector<float> weights_ = std::vector<float>(kTokens * kTokens);
};

TEST(HeadKindsTest, CallsAnEvenHeadFlat) { EXPECT_EQ(Map(0, 1.0F / 6).kind(), HeadKind::kFlat); }

// The row {p, 5 x (1 - p) / 5} has 0.901 of the largest entropy at p = 0.42 and 0.893 at p = 0.43.
TEST(HeadKindsTest, DrawsTheLineOfFlatAtNineTenthsOfTheEntropy) {
  EXPECT_EQ(Map(2, 0.42F).kind(), HeadKind::kFlat);
  EXPECT_EQ(Map(2, 0.43F).kind(), HeadKind::kFocused);
}

TEST(HeadKindsTest, KnowsNeighboursBySideAndHalfOfTheWeight) {
  EXPECT_EQ(Map(-1, 0.51F).kind(), HeadKind::kPrevious);
  EXPECT_EQ(Map(-1, 0.49F).kind(), HeadKind::kFocused);
  EXPECT_EQ(Map(1, 0.51F).kind(), HeadKind::kNext);
  EXPECT_EQ(Map(1, 0.49F).kind(), HeadKind::kFocused);
}

TEST(HeadKindsTest, CallsAHeadThatRestsOnSpecialTokensASink) {
  Map map(0, 0.0F);
  for (std::int64_t from = 0; from < kTokens; ++from) {
    for (std::int64_t to = 0; to < kTokens; ++to) map.at(from, to) = 0.0F;
    map.at(from, 0) = map.at(from, 5) = 0.26F;
    map.at(from, from == 2 ? 3 : 2) = 0.48F;
  }

  EXPECT_EQ(map.kind(), HeadKind::kSink);
}

TEST(HeadKindsTest, PassesOverTheRowsOfSpecialTokens) {
  Map map(-1, 0.9F);
  for (const std::int64_t special : {std::int64_t{0}, kTokens - 1})
    for (std::int64_t to = 0; to < kTokens; ++to) map.at(special, to) = 1.0F / kTokens;

  EXPECT_EQ(map.kind(), HeadKind::kPrevious);
}

// w0 has [CLS] before it, which is no neighbour to speak of: with it 0.6 would be 0.45.
TEST(HeadKindsTest, LeavesWordsWithoutSuchANeighbourOut) {
  Map map(-1, 0.6F);
  for (std::int64_t to = 0; to < kTokens; ++to) map.at(1, to) = to == 3 ? 1.0F : 0.0F;

  EXPECT_EQ(map.kind(), HeadKind::kPrevious);
}

}  // namespace
}  // namespace notbad::service
