// Where tokens and words stand in the text as sent: examples, and what holds for every text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/tokenizer/shipped_tokenizer.h"
#include "tokenizer/utf8.h"

namespace notbad::tokenizer {
namespace {

using ::testing::ElementsAre;

TEST(TokenizerSpansTest, ShowWhatTheUserTyped) {
  EXPECT_THAT(labels_of("\uff27\uff2f\uff2f\uff24 \ufb01lm"),
              ElementsAre("\uff27\uff2f\uff2f\uff24", "\ufb01lm"));
  EXPECT_THAT(labels_of("The PLOT wasn\u2019t (at all) bad\u2026"),
              ElementsAre("The", "PLOT", "was", "n\u2019t", "(", "at", "all", ")", "bad", "\u2026",
                          "\u2026", "\u2026"));
  EXPECT_THAT(labels_of("-LRB- ``x'' --y"), ElementsAre("-LRB-", "``", "x", "''", "--", "y"));
  EXPECT_THAT(labels_of("3\u00bd stars\u2122"),
              ElementsAre("3", "\u00bd", "\u00bd", "\u00bd", "stars", "\u2122", "\u2122"));
}

TEST(TokenizerSpansTest, CountBytesAndUtf16Units) {
  const Encoding encoding = encode("A\U0001F600B was great");

  const Token& great = encoding.tokens.at(encoding.tokens.size() - 2);
  EXPECT_EQ(great.range->bytes, (Span{11, 16}));
  EXPECT_EQ(great.range->utf16, (Span{9, 14}));
  EXPECT_EQ(encoding.tokens.at(2).range->utf16, (Span{1, 3}));
}

TEST(TokenizerSpansTest, LeaveBlanksOutside) {
  const std::string_view text = " \t good\u00a0\r\n\u3000 film. ";
  EXPECT_THAT(labels_of(text), ElementsAre("good", "film", "."));
}

TEST(TokenizerSpansTest, KeepTheAccentOnItsLetter) {
  EXPECT_THAT(word_labels_of("une\u0301 (o\u0308)\u0323 ok"),
              ElementsAre("une\u0301", "(", "o\u0308", ")\u0323", "ok"));
}

// Parts that rules treat in every way there is: letters, contractions, marks, what vanishes, what
// becomes several pieces, what is unknown, and blanks.
constexpr std::array<std::string_view, 44> kParts = {
    "a",        "good",    "Films",  "n",      "t",          "'",          "\u2019", "n't",
    "N\u2019T", " n 't",   "-",      "--",     "---",        "-lrb-",      "-RRB-",  "``",
    "''",       "(",       ".",      "\u2026", "\u00bd",     "\u2122",     "\ufb01", "\u00e6",
    "\u00c9",   "e\u0301", "\u0301", "\u200d", "\U0001F469", "\U0001F3FD", "\ufe0f", "\u05d0",
    "\u96fb",   "\uff27",  "\u0130", "\u00df", " ",          "\t",         "\u00a0", "\u3000",
    "\u200b",   "\u2581",  "\u0085", "\x01"};

// Seeded, so that a failure can be repeated.
std::string random_text(std::mt19937& random) {
  std::uniform_int_distribution<std::size_t> lengths(0, 14);
  std::uniform_int_distribution<std::size_t> parts(0, kParts.size() - 1);
  std::string text;
  for (std::size_t i = lengths(random); i > 0; --i) text += kParts.at(parts(random));
  return text;
}

// Checks a range by itself: in the text, not empty, cut on code points, both counts alike.
void expect_sound(std::string_view text, const TextRange& range) {
  ASSERT_LE(0, range.bytes.begin);
  ASSERT_LT(range.bytes.begin, range.bytes.end);
  ASSERT_LE(range.bytes.end, std::ssize(text));
  const std::string before = cut(text, {0, range.bytes.begin});
  const std::string inside = cut(text, range.bytes);
  ASSERT_EQ(first_invalid_utf8(before), std::nullopt);
  ASSERT_EQ(first_invalid_utf8(inside), std::nullopt);
  ASSERT_EQ(range.utf16.begin, utf16_units(before));
  ASSERT_EQ(range.utf16.end, range.utf16.begin + utf16_units(inside));
}

void expect_sound_tokens(std::string_view text, const Encoding& encoding) {
  Span previous;
  for (const Token& token : encoding.tokens) {
    if (token.is_special()) continue;
    ASSERT_NO_FATAL_FAILURE(expect_sound(text, *token.range)) << token.piece;
    const Span span = token.range->bytes;
    ASSERT_GE(span.begin, previous.begin) << token.piece;
    ASSERT_GE(span.end, previous.end) << token.piece;
    const Span word = encoding.words.at(static_cast<std::size_t>(*token.word)).range.bytes;
    ASSERT_TRUE(word.begin <= span.begin && span.end <= word.end) << token.piece;
    previous = span;
  }
}

void expect_sound_words(std::string_view text, const Encoding& encoding) {
  std::int64_t end = 0;
  for (const Word& word : encoding.words) {
    ASSERT_NO_FATAL_FAILURE(expect_sound(text, word.range)) << word.normalized;
    ASSERT_GE(word.range.bytes.begin, end) << word.normalized << ": words overlap";
    ASSERT_TRUE(encode(cut(text, {end, word.range.bytes.begin})).is_empty())
        << "before " << word.normalized << ": something visible belongs to no word";
    end = word.range.bytes.end;
  }
  ASSERT_TRUE(encode(cut(text, {end, std::ssize(text)})).is_empty())
      << "something visible at the end belongs to no word";
}

TEST(TokenizerSpansTest, AreSoundForEveryText) {
  std::mt19937 random(2024);
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = random_text(random);
    SCOPED_TRACE(testing::PrintToString(text));

    const Encoding encoding = encode(text);

    ASSERT_NO_FATAL_FAILURE(expect_sound_tokens(text, encoding));
    ASSERT_NO_FATAL_FAILURE(expect_sound_words(text, encoding));
  }
}

}  // namespace
}  // namespace notbad::tokenizer
