#include "server/service/head_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

// [CLS] w0 w1 w2 [SEP], where w2 has `pieces` tokens.
tokenizer::Encoding encoding_of(std::int64_t pieces) {
  tokenizer::Encoding encoding;
  encoding.tokens.emplace_back();
  for (std::int64_t word = 0; word < 3; ++word) {
    for (std::int64_t piece = 0; piece < (word == 2 ? pieces : 1); ++piece) {
      tokenizer::Token token;
      token.word = word;
      encoding.tokens.push_back(token);
    }
    encoding.words.emplace_back();
  }
  encoding.tokens.emplace_back();
  return encoding;
}

TEST(HeadScoresTest, FindsTheTokensOfAWord) {
  EXPECT_THAT(tokens_of_word(encoding_of(2), 2), ElementsAre(3, 4));
  EXPECT_THAT(tokens_of_word(encoding_of(2), 0), ElementsAre(1));
}

TEST(HeadScoresTest, SumsOverThePiecesLookedAtAndAveragesOverThoseThatLook) {
  Tensor maps({1, 1, 6, 6});
  float* map = maps.data();
  map[3 * 6 + 1] = 0.2F;  // first piece of w2 at w0
  map[4 * 6 + 1] = 0.4F;  // second piece
  map[1 * 6 + 3] = 0.5F;  // w0 at the pieces of w2
  map[1 * 6 + 4] = 0.25F;

  EXPECT_FLOAT_EQ(attention_scores(maps, encoding_of(2), 2, 0).front().attention, 0.3F);
  EXPECT_FLOAT_EQ(attention_scores(maps, encoding_of(2), 0, 2).front().attention, 0.75F);
}

TEST(HeadScoresTest, PutsAHeadThatAlwaysLooksAtItsNeighbourBehindOneThatLooksForTheWord) {
  Tensor maps({1, 2, 5, 5});
  float* neighbour = maps.data();
  float* seeker = neighbour + 25;
  neighbour[2 * 5 + 1] = neighbour[3 * 5 + 2] = 0.9F;
  seeker[3 * 5 + 2] = 0.6F;
  seeker[2 * 5 + 1] = 0.1F;

  const std::vector<HeadScore> scores = attention_scores(maps, encoding_of(1), 2, 1);

  EXPECT_EQ(scores[0].head, 1);
  EXPECT_THAT(scores[0].excess(), FloatNear(0.5F, 1e-6F));
  EXPECT_THAT(scores[1].excess(), FloatNear(0.0F, 1e-6F));
}

TEST(HeadScoresTest, LeavesSpecialTokensOutOfTheBaseline) {
  Tensor maps({1, 1, 5, 5});
  maps.data()[1 * 5 + 0] = 1.0F;  // w0 at [CLS], the same distance as w2 at w1
  maps.data()[4 * 5 + 3] = 1.0F;  // [SEP] at w2

  EXPECT_EQ(attention_scores(maps, encoding_of(1), 2, 1).front().baseline, 0.0F);
}

TEST(HeadScoresTest, MeasuresFocusWithoutTheDiagonalAndSpecialTokens) {
  Tensor maps({1, 1, 5, 5});
  float* map = maps.data();
  map[1 * 5 + 1] = 1.0F;  // itself
  map[2 * 5 + 0] = 1.0F;  // special
  map[3 * 5 + 1] = 0.6F;

  EXPECT_THAT(focus_scores(maps, encoding_of(1)).front().attention, FloatNear(0.2F, 1e-6F));
}

TEST(HeadScoresTest, RefusesMapsOfAnotherLength) {
  EXPECT_THROW(focus_scores(Tensor({1, 1, 4, 4}), encoding_of(1)), std::logic_error);
}

}  // namespace
}  // namespace notbad::service
