#include "tokenizer/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::tokenizer {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr std::int32_t kUnknownId = 1;

std::vector<std::string> normalized_words(std::string_view text) {
  std::vector<std::string> words;
  for (const Word& word : encode(text).words) words.push_back(word.normalized);
  return words;
}

TEST(TokenizerTest, GivesThePiecesOfTheSharedCases) {
  std::ifstream file(test_files::golden("tokenizer_cases.json"));
  const auto cases = nlohmann::json::parse(file);
  ASSERT_FALSE(cases.empty());
  for (const auto& shared : cases) {
    EXPECT_EQ(pieces_of(encode(shared["text"].get<std::string>())),
              shared["pieces"].get<std::vector<std::string>>())
        << shared["shows"];
  }
}

TEST(TokenizerTest, FramesTheTextWithSpecialTokens) {
  const Encoding encoding = encode("A film");

  ASSERT_EQ(encoding.tokens.size(), 4);
  EXPECT_EQ(encoding.tokens.front().piece, "[CLS]");
  EXPECT_EQ(encoding.tokens.back().piece, "[SEP]");
  EXPECT_TRUE(encoding.tokens.front().is_special());
  EXPECT_EQ(encoding.tokens.front().range, std::nullopt);
  EXPECT_FALSE(encoding.tokens[1].is_special());
  EXPECT_EQ(encoding.total_tokens, 4);
}

TEST(TokenizerTest, GroupsPiecesIntoWords) {
  const Encoding encoding = encode("Cheesy, isn't it?");

  EXPECT_THAT(normalized_words("Cheesy, isn't it?"),
              ElementsAre("cheesy", ",", "is", "n't", "it", "?"));
  EXPECT_THAT(word_labels_of("Cheesy, isn't it?"),
              ElementsAre("Cheesy", ",", "is", "n't", "it", "?"));
  EXPECT_THAT(encoding.tokens[1].word, Optional(0));
  EXPECT_THAT(encoding.tokens[2].word, Optional(0));  // the word has several pieces
}

TEST(TokenizerTest, MakesOneWordOfOneCodePoint) {
  EXPECT_THAT(word_labels_of("\u00bd good\u2026"), ElementsAre("\u00bd", "good", "\u2026"));
  EXPECT_THAT(normalized_words("\u00bd good\u2026"), ElementsAre("1/2", "good", "..."));
}

TEST(TokenizerTest, CutsTheRightEndByDefault) {
  const auto encoding = shipped_tokenizer().encode("one two three four five", {.max_tokens = 5});

  EXPECT_THAT(pieces_of(*encoding), ElementsAre("\u2581one", "\u2581two", "\u2581three"));
  EXPECT_THAT(encoding->words, SizeIs(3));
  EXPECT_THAT(encoding->tokens, SizeIs(5));
  EXPECT_EQ(encoding->tokens.back().piece, "[SEP]");
  EXPECT_EQ(encoding->total_tokens, 7);
  EXPECT_TRUE(encoding->is_truncated());
}

TEST(TokenizerTest, CutsTheLeftEndWhereAsked) {
  const std::string text = "one two three four five";

  const auto encoding =
      shipped_tokenizer().encode(text, {.max_tokens = 4, .truncate = TruncateSide::kLeft});

  EXPECT_THAT(pieces_of(*encoding), ElementsAre("\u2581four", "\u2581five"));
  EXPECT_EQ(cut(text, encoding->words[0].range.bytes), "four");
  EXPECT_THAT(encoding->tokens[1].word, Optional(0));
}

TEST(TokenizerTest, KeepsOfADividedWordWhatIsLeftOfIt) {
  const auto right = shipped_tokenizer().encode("cheesy", {.max_tokens = 3});
  const auto left =
      shipped_tokenizer().encode("cheesy", {.max_tokens = 3, .truncate = TruncateSide::kLeft});

  EXPECT_EQ(right->words.at(0).normalized, "che");
  EXPECT_EQ(left->words.at(0).normalized, "y");
  EXPECT_EQ(left->words.at(0).range.bytes, (Span{5, 6}));
}

TEST(TokenizerTest, CutsNothingAtTheLimit) {
  const auto encoding = shipped_tokenizer().encode("one two three", {.max_tokens = 5});
  EXPECT_FALSE(encoding->is_truncated());
  EXPECT_THROW((void)shipped_tokenizer().encode("one", {.max_tokens = 2}), std::logic_error);
}

TEST(TokenizerTest, RefusesInvalidUtf8NamingTheByte) {
  for (const std::string bad : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xE2\x82"}) {
    const auto encoding = shipped_tokenizer().encode("good " + bad, {});

    ASSERT_FALSE(encoding.has_value());
    EXPECT_EQ(encoding.error().code, ErrorCode::kInvalidUtf8);
    EXPECT_THAT(encoding.error().message, AllOf(HasSubstr("byte 5"), HasSubstr("UTF-8")));
    EXPECT_THAT(encoding.error().message, Not(HasSubstr(bad)));
  }
}

TEST(TokenizerTest, FindsNothingInBlanksOfAnyKind) {
  for (const std::string_view blank : {"", "   ", "\n\t", "\u00a0", "\u3000 \u2003", "\u200b",
                                       "\ufeff", "\u2028\r\n", "\u2581", "\u2800", "\u0085"}) {
    const Encoding encoding = encode(blank);

    EXPECT_TRUE(encoding.is_empty());
    EXPECT_THAT(encoding.tokens, SizeIs(2));
  }
  EXPECT_TRUE(encode(std::string_view("\0 \0", 3)).is_empty());
}

TEST(TokenizerTest, UsesTheWholeTextAroundNul) {
  const std::string_view text("good\0bad", 8);

  EXPECT_EQ(ids_of(encode(text)), ids_of(encode("good bad")));
  EXPECT_THAT(labels_of(text), ElementsAre("good", "bad"));
}

TEST(TokenizerTest, GivesTheSameIdsForBlanksOfAnyKindAndNumber) {
  const auto ids = ids_of(encode("a quiet kite"));
  for (const std::string_view text :
       {"  a  quiet kite ", "a\tquiet\r\nkite", "a\u00a0quiet\u3000kite",
        "\u200ba quiet \u200b kite\ufeff"}) {
    EXPECT_EQ(ids_of(encode(text)), ids) << text;
  }
}

TEST(TokenizerTest, GivesTheSameIdsForAnAccentInOnePieceOrTwo) {
  EXPECT_EQ(ids_of(encode("caf\u00e9")), ids_of(encode("cafe\u0301")));
  EXPECT_THAT(labels_of("cafe\u0301s"), testing::Contains("cafe\u0301"));
}

TEST(TokenizerTest, GivesTheSameIdsForQuotesDashesAndEllipses) {
  EXPECT_EQ(ids_of(encode("\u201cit\u2019s\u201d \u2014 no\u2026")),
            ids_of(encode("\"it's\" - no...")));
  EXPECT_EQ(ids_of(encode("it is DON\u2019T")), ids_of(encode("It is do n't")));
}

TEST(TokenizerTest, TakesControlPiecesForPlainText) {
  const std::vector<std::int32_t> ids = ids_of(encode("</s> good <unk> <s> <pad> [CLS][SEP][PAD]"));

  for (std::size_t i = 1; i + 1 < ids.size(); ++i) EXPECT_GT(ids[i], 3) << i;
}

TEST(TokenizerTest, ShowsAJoinedEmojiWhole) {
  const std::string astronaut = "\U0001F469\u200d\U0001F680";
  EXPECT_THAT(labels_of(astronaut), ElementsAre(astronaut));
  EXPECT_THAT(labels_of("\U0001F1EF\U0001F1F5!"), ElementsAre("\U0001F1EF\U0001F1F5", "!"));
  EXPECT_THAT(labels_of("fun \U0001F44D\U0001F3FD"), ElementsAre("fun", "\U0001F44D\U0001F3FD"));
  EXPECT_THAT(labels_of("\u2764\ufe0f it"), ElementsAre("\u2764\ufe0f", "it"));
}

TEST(TokenizerTest, KeepsTheOrderOfRightToLeftWords) {
  EXPECT_THAT(labels_of("see \u05d0\u05d1 here"), ElementsAre("see", "\u05d0\u05d1", "here"));
  EXPECT_THAT(labels_of("\u202egood film"), ElementsAre("good", "film"));
}

TEST(TokenizerTest, AnswersForLongTextsWithoutBlanksInTime) {
  std::string mixed;
  for (std::size_t i = 0; i < 8192; ++i) mixed += static_cast<char>('a' + (i * 7 + i * i) % 26);
  std::string accents = "e";
  for (int i = 0; i < 8191; ++i) accents += "\u0301";
  for (const std::string& text : {std::string(8192, 'a'), std::string(8192, '('), mixed, accents}) {
    const auto start = std::chrono::steady_clock::now();

    const Encoding encoding = encode(text);

    // 6 to 16 ms on one core of the reference machine; the rest is for sanitizers and busy
    // machines.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    EXPECT_EQ(encoding.words.back().range.bytes.end, std::ssize(text));
  }
}

TEST(TokenizerTest, MarksWhatItDoesNotKnow) {
  EXPECT_THAT(ids_of(encode("\u96fb")), ElementsAre(2, kUnknownId, 3));
}

}  // namespace
}  // namespace notbad::tokenizer
