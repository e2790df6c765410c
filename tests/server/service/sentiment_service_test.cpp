#include "server/service/sentiment_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "tests/server/support/scripted_service.h"

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string repeated(const std::string& word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word + " ";
  return text;
}

class SentimentServiceTest : public testing::Test {
 protected:
  ClassifyOutcome classify(std::vector<std::string> inputs, const ClassifyOptions& options = {}) {
    return scripted_.service.classify({std::move(inputs), options});
  }

  ScriptedService scripted_;
};

TEST_F(SentimentServiceTest, NamesTheLargestProbability) {
  const auto answer = classify({"The movie was not bad"});

  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->results.size(), 1U);
  const Sentiment& sentiment = answer->results.front();
  EXPECT_EQ(sentiment.label, 1);
  EXPECT_THAT(sentiment.logits, ElementsAre(-1.0F, 1.0F));
  EXPECT_EQ(answer->tokens, static_cast<std::int64_t>(sentiment.encoding.tokens.size()));
  EXPECT_TRUE(sentiment.cues.empty());
  EXPECT_TRUE(sentiment.attention.is_empty());
}

TEST_F(SentimentServiceTest, KeepsTheOrderOfTheInputs) {
  const auto answer = classify({"one", "one two three", "one two"});

  ASSERT_TRUE(answer);
  std::vector<std::size_t> words;
  for (const auto& sentiment : answer->results) words.push_back(sentiment.encoding.words.size());
  EXPECT_THAT(words, ElementsAre(1U, 3U, 2U));
}

TEST_F(SentimentServiceTest, FindsCuesWhereAskedTo) {
  const auto answer = classify({"It isn't bad"}, {.negation = Negation::kCues});

  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->results.front().cues.size(), 1U);
  EXPECT_EQ(answer->results.front().cues.front().text, "n't");
}

TEST_F(SentimentServiceTest, QuotesTheCuesOfEachInputFromItsOwnText) {
  const auto answer = classify({"NEVER dull", "no plot"}, {.negation = Negation::kCues});

  ASSERT_TRUE(answer);
  std::vector<std::string> quoted;
  for (const auto& sentiment : answer->results) quoted.push_back(sentiment.cues.at(0).text);
  EXPECT_THAT(quoted, ElementsAre("NEVER", "no"));
}

TEST_F(SentimentServiceTest, NamesEveryEmptyInput) {
  const auto answer = classify({"good", "", " \t\n", "\xE2\x80\x8B"});

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().error.code, ErrorCode::kEmptyInput);
  std::vector<std::int64_t> culprits;
  for (const auto& part : answer.error().parts) culprits.push_back(part.index);
  EXPECT_THAT(culprits, ElementsAre(1, 2, 3));
}

TEST_F(SentimentServiceTest, RefusesNoInputAndTooMany) {
  const auto none = classify({});
  const auto many = classify(std::vector<std::string>(33, "good"));

  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().error.code, ErrorCode::kEmptyInput);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().error.code, ErrorCode::kBatchTooLarge);
}

TEST_F(SentimentServiceTest, CutsATextOverTheLimitOnTheSideAskedFor) {
  const std::string text = repeated("good", 200) + "end";

  const auto right = classify({text}, {.truncate = Truncate::kRight});
  const auto left = classify({text}, {.truncate = Truncate::kLeft});

  ASSERT_TRUE(right && left);
  for (const auto* answer : {&*right, &*left}) {
    const auto& encoding = answer->results.front().encoding;
    EXPECT_TRUE(encoding.is_truncated());
    EXPECT_EQ(encoding.tokens.size(), static_cast<std::size_t>(kTestPositions));
  }
  EXPECT_EQ(right->results.front().encoding.words.back().normalized, "good");
  EXPECT_EQ(left->results.front().encoding.words.back().normalized, "end");
}

TEST_F(SentimentServiceTest, RefusesATextOverTheLimitWhereAskedTo) {
  const ClassifyOptions options{.truncate = Truncate::kError};
  const int words_that_fit = static_cast<int>(kTestPositions) - 2;

  const auto fits = classify({repeated("good", words_that_fit)}, options);
  const auto too_long = classify({repeated("good", words_that_fit + 1)}, options);

  EXPECT_TRUE(fits);
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().error.code, ErrorCode::kTextTooLong);
  EXPECT_THAT(too_long.error().error.message, HasSubstr("129 tokens"));
}

TEST_F(SentimentServiceTest, CountsCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 8192; ++i) text += "\xC3\xA9";  // two bytes, one character

  const auto fits = classify({text});
  const auto too_long = classify({text + "e"});

  EXPECT_TRUE(fits);
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().error.code, ErrorCode::kTextTooLong);
}

TEST_F(SentimentServiceTest, RefusesBrokenUtf8) {
  const auto answer = classify({"fine", "bad \xFF byte"});

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().error.code, ErrorCode::kInvalidUtf8);
  EXPECT_EQ(answer.error().parts.front().index, 1);
}

TEST_F(SentimentServiceTest, HandsOutTheMapsAskedFor) {
  const auto answer =
      classify({"good film"}, {.attention = AttentionMode::kFull, .maps = {{1}, {2, 0}}});

  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->results.front().attention.shape(), Shape({1, 2, 4, 4}));
  EXPECT_THAT(scripted_.script.options.back().attention.heads, ElementsAre(2, 0));
}

TEST_F(SentimentServiceTest, SummarisesWhatEachTokenReceives) {
  const auto answer =
      classify({"good film"}, {.attention = AttentionMode::kSummary, .maps = {{1}, {0, 1, 2}}});

  ASSERT_TRUE(answer);
  const Tensor& received = answer->results.front().received;
  EXPECT_TRUE(answer->results.front().attention.is_empty());
  ASSERT_EQ(received.shape(), Shape({3, 4}));
  const Tensor maps = ScriptedRunner::random_maps(1, 3, 4);
  for (std::size_t head = 0; head < 3; ++head) {
    float sum = 0.0F;
    for (std::size_t to = 0; to < 4; ++to) {
      const float* column = maps.data() + head * 16 + to;
      const float mean = (column[0] + column[4] + column[8] + column[12]) / 4.0F;
      EXPECT_NEAR(received.values()[head * 4 + to], mean, 1e-6F) << head << " " << to;
      sum += received.values()[head * 4 + to];
    }
    EXPECT_NEAR(sum, 1.0F, 1e-5F) << "head " << head;
  }
}

TEST_F(SentimentServiceTest, BoundsTheMapsOfAllInputsTogether) {
  const ClassifyOptions options{.attention = AttentionMode::kFull, .maps = {{0, 1}, {0, 1, 2}}};
  const std::string longest = repeated("good", static_cast<int>(kTestPositions) - 2);
  const std::vector<std::string> fitting(10, longest);  // 10 x 6 x 128² = 983,040
  const std::vector<std::string> too_many(11, longest);

  EXPECT_TRUE(classify(fitting, options));
  const auto refused = classify(too_many, options);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, ErrorCode::kAttentionTooLarge);
  EXPECT_THAT(refused.error().error.message, HasSubstr("1081344"));
}

TEST_F(SentimentServiceTest, BoundsTheMapsOfAllRequestsTogether) {
  const ClassifyOptions options{.attention = AttentionMode::kFull, .maps = {{0, 1}, {0, 1, 2}}};
  const std::vector<std::string> large(
      10, repeated("good", static_cast<int>(kTestPositions) - 2));  // 983,040 of 4,194,304 values
  std::vector<ClassifyOutcome> held;
  for (int i = 0; i < 4; ++i) held.push_back(classify(large, options));
  ASSERT_TRUE(held.back());

  const auto refused = classify(large, options);
  const auto without_maps = classify(large);
  held.pop_back();
  const auto later = classify(large, options);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, ErrorCode::kOverloaded);
  EXPECT_TRUE(without_maps);
  EXPECT_TRUE(later);
}

TEST_F(SentimentServiceTest, NamesTheCutWhoseTokenAShorterTextLacks) {
  ClassifyOptions options;
  options.interventions = {model::HeadOff{0, 0}, model::CutLink{0, 0, 3, 4, false}};

  const auto fits = classify({"one two three"}, options);
  const auto refused = classify({"one two three", "one two"}, options);

  EXPECT_TRUE(fits);
  ASSERT_FALSE(refused);
  ASSERT_EQ(refused.error().parts.size(), 1U);
  EXPECT_EQ(refused.error().parts.front().part, RequestPart::kCutTo);
  EXPECT_EQ(refused.error().parts.front().index, 1);
}

TEST_F(SentimentServiceTest, PassesInterventionsToEverySequence) {
  ClassifyOptions options;
  options.interventions = {model::HeadUniform{1, 2}};

  ASSERT_TRUE(classify({"good", "bad"}, options));

  ASSERT_EQ(scripted_.script.options.size(), 2U);
  for (const auto& seen : scripted_.script.options) {
    ASSERT_EQ(seen.interventions.size(), 1U);
    EXPECT_EQ(std::get<model::HeadUniform>(seen.interventions.front()).head, 2);
  }
}

TEST_F(SentimentServiceTest, NeverAnswersWithNan) {
  scripted_.script.logits = {0.0F, std::numeric_limits<float>::quiet_NaN()};

  const auto answer = classify({"good"});

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().error.code, ErrorCode::kNonFinite);
}

TEST_F(SentimentServiceTest, WarmsUpThroughTheRealPath) {
  EXPECT_TRUE(scripted_.service.warm_up());
  EXPECT_FALSE(scripted_.script.seen().empty());

  scripted_.batcher.drain();
  EXPECT_FALSE(scripted_.service.warm_up());
}

// [CLS] it was not bad [SEP], where the model takes "not" for a cue and "bad" for its scope.
std::optional<model::NegationTags> tags_of_not_bad(std::int64_t tokens) {
  model::NegationTags tags{Tensor({tokens, model::kNumCueClasses}), Tensor({tokens, tokens})};
  tags.cue.matrix().row(3)[static_cast<std::size_t>(model::CueClass::kCue)] = 1.0F;
  tags.scope.matrix().row(4)[3] = 1.0F;
  return tags;
}

TEST_F(SentimentServiceTest, TakesTheCuesFromAModelThatFindsThem) {
  scripted_.script.tags = tags_of_not_bad;

  const auto answer = classify({"It was NOT bad"}, {.negation = Negation::kCues});

  ASSERT_TRUE(answer);
  const Sentiment& sentiment = answer->results.front();
  EXPECT_EQ(sentiment.cue_source, CueSource::kModel);
  ASSERT_EQ(sentiment.cues.size(), 1U);
  EXPECT_EQ(sentiment.cues[0].text, "NOT");
  EXPECT_THAT(sentiment.cues[0].scope, ElementsAre(3));
}

TEST_F(SentimentServiceTest, BelievesAModelThatFindsNoCue) {
  scripted_.script.tags = [](std::int64_t tokens) {
    return model::NegationTags{Tensor({tokens, model::kNumCueClasses}), Tensor({tokens, tokens})};
  };

  const auto answer = classify({"It was not bad"}, {.negation = Negation::kCues});

  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->results.front().cues.empty());
  EXPECT_EQ(answer->results.front().cue_source, CueSource::kModel);
}

TEST_F(SentimentServiceTest, AsksForTagsOnlyWhereNegationIsWanted) {
  ASSERT_TRUE(classify({"It was not bad"}));
  EXPECT_FALSE(scripted_.script.options.back().wants_negation);

  ASSERT_TRUE(classify({"It was not bad"}, {.negation = Negation::kEffects}));
  EXPECT_TRUE(scripted_.script.options[1].wants_negation);
}

TEST_F(SentimentServiceTest, GivesEachTextItsOwnEffects) {
  const auto answer =
      classify({"It was fine", "It was not bad", "never"}, {.negation = Negation::kEffects});

  ASSERT_TRUE(answer);
  const auto& results = answer->results;
  for (const Sentiment& sentiment : results) ASSERT_TRUE(sentiment.effects);
  EXPECT_TRUE(results[0].effects->without.empty());
  EXPECT_TRUE(results[1].effects->without.at(0).has_value());
  EXPECT_EQ(results[1].effects->heads.size(), 6U);
  EXPECT_FALSE(results[2].effects->without.at(0).has_value());
  EXPECT_TRUE(results[2].effects->heads.empty());
}

TEST_F(SentimentServiceTest, BoundsThePassesOfEffectsWithTheNumbers) {
  ServiceLimits limits;
  limits.effect_tokens = 60;
  const SentimentService small(scripted_bundle(), scripted_.batcher, limits);
  const ClassifyOptions options{.negation = Negation::kEffects};

  // 1 pass of 5 tokens without "not" and 7 of 6.
  EXPECT_TRUE(small.classify({{"It was not bad"}, options}));
  const auto refused = small.classify({{"It was not bad", "It was not bad"}, options});

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, ErrorCode::kTextTooLong);
  EXPECT_THAT(refused.error().error.message, HasSubstr("16 forward passes of 94 tokens"));
}

}  // namespace
}  // namespace notbad::service
