#include "server/service/text_edit.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::service {
namespace {

std::string without(const std::string& text, const std::vector<std::int64_t>& words) {
  return without_words(text, tokenizer::encode(text), words);
}

TEST(TextEditTest, LeavesOutAWordAndOneOfItsBlanks) {
  EXPECT_EQ(without("The movie was not bad", {3}), "The movie was bad");
  EXPECT_EQ(without("The movie  was \t not   bad", {3}), "The movie  was bad");
  EXPECT_EQ(without("It is bad not", {3}), "It is bad");
}

TEST(TextEditTest, LeavesOutSeveralWordsTogetherAndApart) {
  EXPECT_EQ(without("It was by no means bad", {2, 3, 4}), "It was bad");
  EXPECT_EQ(without("never bad, not dull", {0, 3}), "bad, dull");
}

TEST(TextEditTest, PutsNoBlankBeforeAClosingMark) {
  EXPECT_EQ(without("Bad it is not, they say", {3}), "Bad it is, they say");
  EXPECT_EQ(without("was it not ?", {2}), "was it?");
}

TEST(TextEditTest, MakesTheStemOfAContractionWhole) {
  EXPECT_EQ(without("It isn't bad", {2}), "It is bad");
  EXPECT_EQ(without("I can't recommend it", {2}), "I can recommend it");
  EXPECT_EQ(without("Won\u2019t you?", {1}), "Will you?");
  EXPECT_EQ(without("wo is me", {1}), "wo me");
}

TEST(TextEditTest, KeepsTheCapitalOfTheFirstWord) {
  EXPECT_EQ(without("Never dull", {0}), "Dull");
  EXPECT_EQ(without("never dull", {0}), "dull");
  EXPECT_EQ(without("  Not \u00e9gal", {0}), "\u00e9gal");
}

TEST(TextEditTest, MayLeaveNothing) { EXPECT_EQ(without(" No ", {0}), ""); }

TEST(TextEditTest, ReplacesOneWordAndKeepsItsCapital) {
  const auto replaced = [](const std::string& text, std::int64_t word) {
    return with_word_replaced(text, tokenizer::encode(text), word, "good");
  };
  EXPECT_EQ(replaced("The movie was not bad!", 4), "The movie was not good!");
  EXPECT_EQ(replaced("Bad  movie", 0), "Good  movie");
}

}  // namespace
}  // namespace notbad::service
