#include "server/service/antonyms.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::service {
namespace {

constexpr const char* kAdjectives =
    "good great wonderful excellent exciting interesting funny clever original fresh surprising "
    "convincing coherent beautiful charming enjoyable satisfying powerful effective memorable "
    "perfect worthwhile useful lovely happy right fine";
constexpr const char* kNegative =
    "bad worse worst terrible awful horrible boring dull tedious unfunny stupid shallow "
    "predictable clumsy ugly unpleasant disappointing weak forgettable flawed pointless worthless "
    "mediocre sloppy sad wrong poor hate dislike fail disaster failure";

TEST(AntonymsTest, KnowsTheWordsOfReviews) {
  for (const char* list : {kAdjectives, kNegative}) {
    std::istringstream words(list);
    for (std::string word; words >> word;) EXPECT_TRUE(opposite_of(word)) << word;
  }
}

TEST(AntonymsTest, IsItsOwnInverse) {
  std::istringstream words(std::string(kAdjectives) + " " + kNegative);
  for (std::string word; words >> word;) {
    const auto opposite = opposite_of(word);
    ASSERT_TRUE(opposite) << word;
    EXPECT_NE(*opposite, word);
    EXPECT_EQ(opposite_of(*opposite), word);
  }
}

TEST(AntonymsTest, GivesTheTextbookPairs) {
  EXPECT_EQ(opposite_of("bad"), "good");
  EXPECT_EQ(opposite_of("good"), "bad");
  EXPECT_EQ(opposite_of("boring"), "exciting");
}

TEST(AntonymsTest, KeepsTheFormOfVerbs) {
  EXPECT_EQ(opposite_of("loved"), "hated");
  EXPECT_EQ(opposite_of("hates"), "loves");
  EXPECT_EQ(opposite_of("enjoying"), "detesting");
  EXPECT_EQ(opposite_of("annoyed"), "delighted");
  EXPECT_EQ(opposite_of("impresses"), "disappoints");
}

TEST(AntonymsTest, KeepsTheFormOfAdjectivesAndNouns) {
  EXPECT_EQ(opposite_of("terribly"), "greatly");
  EXPECT_EQ(opposite_of("happily"), "sadly");
  EXPECT_EQ(opposite_of("dully"), "grippingly");
  EXPECT_EQ(opposite_of("idiotically"), "intelligently");
  EXPECT_EQ(opposite_of("successes"), "failures");
  EXPECT_EQ(opposite_of("joy"), "misery");
  EXPECT_EQ(opposite_of("miseries"), "joys");
}

TEST(AntonymsTest, LetsAWordOfItsOwnWinOverAForm) {
  EXPECT_EQ(opposite_of("boring"), "exciting");  // not the form of "to bore"
  EXPECT_EQ(opposite_of("bored"), "entertained");
}

TEST(AntonymsTest, HasNothingForOtherWords) {
  for (const char* word : {"movie", "the", "not", "", "goodly", "Good"})
    EXPECT_FALSE(opposite_of(word)) << word;
}

// A square of other words than the sentence has could not be compared with it.
TEST(AntonymsTest, GivesOppositesThatReadAsOneWord) {
  std::istringstream words(std::string(kAdjectives) + " " + kNegative + " loves annoyed happily");
  for (std::string word; words >> word;) {
    const std::string opposite = opposite_of(word).value_or("two words");
    EXPECT_EQ(tokenizer::encode(opposite).words.size(), 1U) << word << " " << opposite;
  }
}

}  // namespace
}  // namespace notbad::service
