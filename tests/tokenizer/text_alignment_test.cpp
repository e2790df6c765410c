#include "tokenizer/text_alignment.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::tokenizer {
namespace {

TEST(TextAlignmentTest, FollowsLettersWhateverTheBlanksBetweenPieces) {
  const std::string_view text = "  (bad)ly";
  TextAlignment alignment(text, shipped_rules());

  EXPECT_EQ(cut(text, alignment.next("\u2581(").bytes), "(");
  EXPECT_EQ(cut(text, alignment.next("\u2581ba").bytes), "ba");
  EXPECT_EQ(cut(text, alignment.next("d").bytes), "d");
  EXPECT_EQ(cut(text, alignment.next("\u2581)").bytes), ")");
  EXPECT_EQ(cut(text, alignment.next("\u2581ly").bytes), "ly");
}

TEST(TextAlignmentTest, GivesPiecesOfOneCodePointTheSameRange) {
  const std::string_view text = "\u00bd!";
  TextAlignment alignment(text, shipped_rules());

  for (const std::string_view piece : {"\u25811", "\u2581/", "\u25812"}) {
    const TextRange range = alignment.next(piece);
    EXPECT_EQ(range.bytes, (Span{0, 2})) << piece;
    EXPECT_EQ(range.utf16, (Span{0, 1})) << piece;
  }
  EXPECT_EQ(alignment.next("\u2581!").bytes, (Span{2, 3}));
}

TEST(TextAlignmentTest, KeepsWhatVanishesWithTheLetterBeforeIt) {
  const std::string_view text = "e\u0301\u200dt \u0301a";
  TextAlignment alignment(text, shipped_rules());

  EXPECT_EQ(cut(text, alignment.next("\u2581e").bytes), "e\u0301\u200d");
  EXPECT_EQ(cut(text, alignment.next("t").bytes), "t");
  EXPECT_EQ(cut(text, alignment.next("\u2581a").bytes), "a");
}

TEST(TextAlignmentTest, LeavesTheBlankThatARuleLooksAtOutsideTheWord) {
  const std::string_view text = "do n 't";
  TextAlignment alignment(text, shipped_rules());

  alignment.next("\u2581do");

  EXPECT_EQ(cut(text, alignment.next("\u2581n't").bytes), "n 't");
}

TEST(TextAlignmentTest, SpansSeveralWordsForOnePieceOfUnknownOnes) {
  const std::string_view text = "\u05d0 \u05d1.";
  TextAlignment alignment(text, shipped_rules());

  EXPECT_EQ(cut(text, alignment.next("\u2581\u05d0\u2581\u05d1").bytes), "\u05d0 \u05d1");
}

TEST(TextAlignmentTest, GivesABlankPieceAnEmptyRange) {
  const NormalizationRules none;
  TextAlignment alignment("ab", none);

  alignment.next("\u2581a");

  EXPECT_EQ(alignment.next("\u2581").bytes, (Span{1, 1}));
}

TEST(TextAlignmentTest, TakesPiecesThatDoNotSpellTheTextForABug) {
  TextAlignment other("good", shipped_rules());
  EXPECT_THROW(other.next("\u2581bad"), std::logic_error);
  TextAlignment more("good", shipped_rules());
  EXPECT_THROW(more.next("\u2581goods"), std::logic_error);
}

}  // namespace
}  // namespace notbad::tokenizer
