#include "server/cli/show_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/service/negation_cues.h"
#include "tests/support/test_files.h"
#include "tokenizer/tokenizer.h"

namespace notbad::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kLabels = {"negative", "positive"};
constexpr Terminal kPlain{.width = 80};

// One layer of two heads; in head 1 the last word looks at the word before it with 0.8.
service::Sentiment sentiment_of(std::string_view text, float positive) {
  auto tokenizer = tokenizer::Tokenizer::open(test_files::shipped_model() / "tokenizer.model");
  service::Sentiment sentiment;
  sentiment.probabilities = {1 - positive, positive};
  sentiment.label = positive > 0.5F ? 1 : 0;
  sentiment.encoding = *tokenizer->encode(text, {});
  sentiment.cues = service::find_negation_cues(sentiment.encoding, text);
  const std::int64_t tokens = std::ssize(sentiment.encoding.tokens);
  sentiment.attention = Tensor({1, 2, tokens, tokens});
  sentiment.attention.data()[tokens * tokens + (tokens - 2) * tokens + tokens - 3] = 0.8F;
  return sentiment;
}

std::string draw(std::string_view text, float positive, const Terminal& terminal = kPlain) {
  return draw_sentiment(text, sentiment_of(text, positive), kLabels,
                        {.count = 1, .negation_head = {}}, terminal);
}

TEST(ShowCommandTest, ShowsLabelAndTheHeadThatLinksTargetAndCue) {
  const std::string drawing = draw("It was not bad", 0.9F);

  EXPECT_THAT(drawing, HasSubstr("It was ¬not bad\npositive 90.0 %\n"));
  EXPECT_THAT(drawing, HasSubstr("layer 1 head 2: \"bad\" looks at \"not\" with 80.0 %"));
  EXPECT_THAT(drawing, HasSubstr(">bad"));
}

TEST(ShowCommandTest, SaysWhereThereIsNoNegator) {
  const std::string drawing = draw("It was bad", 0.1F);

  EXPECT_THAT(drawing, HasSubstr("negative 90.0 %"));
  EXPECT_THAT(drawing, HasSubstr("No negation word found."));
  EXPECT_THAT(drawing, Not(HasSubstr("¬")));
}

TEST(ShowCommandTest, CallsACloseCallUndecided) {
  EXPECT_THAT(draw("It was bad", 0.45F), HasSubstr("negative 55.0 % (undecided)"));
  EXPECT_THAT(draw("It was bad", 0.39F), Not(HasSubstr("undecided")));
}

TEST(ShowCommandTest, PassesNoControlCharacterOfTheTextToTheTerminal) {
  EXPECT_THAT(draw("not \033[2J bad\u202E", 0.9F), Not(HasSubstr("\033")));
}

TEST(ShowCommandTest, ColoursWhereColourIsWelcome) {
  EXPECT_THAT(draw("It was not bad", 0.9F, {.width = 80, .has_colour = true}),
              HasSubstr("\033[7;1m¬ not\033[0m bad"));
}

TEST(ShowCommandTest, ShowsTheModelsNegationHeadFirst) {
  const std::string text = "It was not bad";

  const std::string drawing =
      draw_sentiment(text, sentiment_of(text, 0.9F), kLabels,
                     {.count = 2, .negation_head = model::HeadIndex{0, 0}}, kPlain);

  EXPECT_THAT(drawing, HasSubstr("layer 1 head 1: \"bad\" looks at \"not\" with 0.0 %"));
  EXPECT_LT(drawing.find("layer 1 head 1:"), drawing.find("layer 1 head 2:"));
}

TEST(ShowCommandTest, MarksACueOfSeveralWordsOnce) {
  const std::string text = "It was by no means bad";
  service::Sentiment sentiment = sentiment_of(text, 0.9F);
  sentiment.cues = {{{2, 3, 4}, "by no means", {5}}};

  EXPECT_THAT(draw_sentiment(text, sentiment, kLabels, {.count = 1, .negation_head = {}}, kPlain),
              HasSubstr("It was ¬by no means bad\n"));
}

}  // namespace
}  // namespace notbad::cli
