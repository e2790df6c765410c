#include "server/service/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "server/service/sentiment_service.h"
#include "tests/server/support/scripted_service.h"
#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

// A model that can be worked out by hand, of 2 layers with 3 heads. f is the sum of the words'
// values, turned round by "not"; head 2 of layer 1 adds 3 where there is a "not", else 1; each
// other head adds 0.25; a uniform head 0 of layer 0 adds 10.
class HandModel : public BatchRunner {
 public:
  std::vector<model::SequenceOutput> run(std::span<const model::SequenceInput> batch) override {
    std::vector<model::SequenceOutput> outputs;
    for (const auto& input : batch) outputs.push_back(answer(input));
    return outputs;
  }

  // What the head off costs; changed by a test to what is no number.
  static inline float plain_head = 0.25F;

 private:
  static std::int32_t id_of(const std::string& word) {
    const auto encoding = tokenizer::encode(word);
    if (encoding.tokens.size() != 3) throw std::runtime_error(word + " has several pieces");
    return encoding.tokens[1].id;
  }

  model::SequenceOutput answer(const model::SequenceInput& input) const {
    float f = 0.0F;
    bool is_negated = false;
    for (const std::int32_t id : input.ids) {
      if (const auto value = values_.find(id); value != values_.end()) f += value->second;
      if (id == not_) is_negated = true;
    }
    if (is_negated) f = -f;
    for (const auto& intervention : input.options.interventions) {
      if (std::holds_alternative<model::HeadUniform>(intervention)) f += 10.0F;
      if (const auto* off = std::get_if<model::HeadOff>(&intervention))
        f -= off->layer == 1 && off->head == 2 ? (is_negated ? 3.0F : 1.0F) : plain_head;
    }
    model::SequenceOutput output;
    output.logits = {-f / 2, f / 2};
    const float positive = 1 / (1 + std::exp(-f));
    output.probabilities = {1 - positive, positive};
    if (!input.options.attention.is_empty()) output.attention = maps(std::ssize(input.ids));
    return output;
  }

  // Layer 0 is even. In layer 1 head 0 looks at the token before, head 1 at the one behind, head 2
  // with 0.7 at token 4, the "not" of the textbook sentence, and with the rest evenly at the
  // others.
  static Tensor maps(std::int64_t tokens) {
    Tensor maps({2, 3, tokens, tokens});
    auto matrix = maps.matrix();
    for (std::int64_t row = 0; row < 3 * tokens; ++row)
      for (float& weight : matrix.row(row)) weight = 1.0F / static_cast<float>(tokens);
    for (std::int64_t from = 0; from < tokens; ++from) {
      matrix.row(3 * tokens + from)[static_cast<std::size_t>(std::max(from - 1, std::int64_t{0}))] =
          1.0F;
      matrix.row(4 * tokens + from)[static_cast<std::size_t>(std::min(from + 1, tokens - 1))] =
          1.0F;
      auto seeker = matrix.row(5 * tokens + from);
      for (float& weight : seeker) weight = 0.3F / static_cast<float>(tokens - 1);
      seeker[static_cast<std::size_t>(std::min<std::int64_t>(4, tokens - 1))] = 0.7F;
    }
    return maps;
  }

  const std::int32_t not_ = id_of("not");
  const std::map<std::int32_t, float> values_ = {{id_of("good"), 2.0F},
                                                 {id_of("bad"), -2.0F},
                                                 {id_of("awful"), -3.0F},
                                                 {id_of("movie"), 0.5F}};
};

class ExplanationTest : public testing::Test {
 protected:
  ~ExplanationTest() override { HandModel::plain_head = 0.25F; }

  ExplainOutcome outcome(const std::string& text,
                         std::vector<model::Intervention> interventions = {},
                         ServiceLimits limits = {}) {
    static const ModelBundle bundle = scripted_bundle();  // opening a tokenizer takes its time
    const SentimentService service(bundle, batcher_, limits);
    return explain(service, {text, std::move(interventions)});
  }
  Explanation explained(const std::string& text,
                        std::vector<model::Intervention> interventions = {}) {
    auto explanation = outcome(text, std::move(interventions));
    if (!explanation) throw std::runtime_error(explanation.error().error.message);
    return std::move(*explanation);
  }

  static void expect_flip(const Explanation& explanation, EditKind edit,
                          std::vector<std::int64_t> words, const std::string& text) {
    ASSERT_TRUE(explanation.flip);
    EXPECT_EQ(explanation.flip->edit, edit);
    EXPECT_EQ(explanation.flip->words, words);
    EXPECT_EQ(explanation.flip->answer.text, text);
    EXPECT_NE(explanation.flip->answer.label, explanation.result.label);
  }

  Batcher batcher_{[] { return std::make_unique<HandModel>(); }, {}};
};

constexpr const char* kTextbook = "The movie was not bad";

TEST_F(ExplanationTest, AnswersTheSentenceItself) {
  const Explanation explanation = explained(kTextbook);

  EXPECT_EQ(explanation.result.label, 1);
  EXPECT_THAT(explanation.result.logits, ElementsAre(-0.75F, 0.75F));
  EXPECT_EQ(explanation.result.encoding.words.size(), 5U);
}

// f(not bad) = 1.5, f(bad) = -1.5, f(not good) = -2.5, f(good) = 2.5.
TEST_F(ExplanationTest, FillsTheNegationSquare) {
  const Explanation explanation = explained(kTextbook);

  ASSERT_EQ(explanation.cues.size(), 1U);
  const CueExplanation& cue = explanation.cues.front();
  EXPECT_EQ(cue.cue.text, "not");
  EXPECT_EQ(cue.target, 4);
  ASSERT_TRUE(cue.square);
  EXPECT_EQ(cue.square->opposite, "good");
  EXPECT_EQ(cue.square->with_word.text, kTextbook);
  EXPECT_FLOAT_EQ(cue.square->with_word.f, 1.5F);
  EXPECT_EQ(cue.square->without_word.text, "The movie was bad");
  EXPECT_FLOAT_EQ(cue.square->without_word.f, -1.5F);
  EXPECT_EQ(cue.square->with_opposite->text, "The movie was not good");
  EXPECT_FLOAT_EQ(cue.square->with_opposite->f, -2.5F);
  EXPECT_EQ(cue.square->without_opposite->text, "The movie was good");
  EXPECT_FLOAT_EQ(cue.square->without_opposite->f, 2.5F);
  EXPECT_FLOAT_EQ(*cue.square->interaction(), (1.5F + 1.5F) - (-2.5F - 2.5F));
}

TEST_F(ExplanationTest, SaysLabelAndScoreOfEachText) {
  const NegationSquare square = *explained(kTextbook).cues.front().square;

  EXPECT_EQ(square.without_word.label, 0);
  EXPECT_NEAR(square.without_word.positive, 0.182426F, 1e-6F);  // 1 / (1 + e^1.5)
  EXPECT_NEAR(square.without_word.score, 0.817574F, 1e-6F);
  EXPECT_EQ(square.with_word.label, 1);
  EXPECT_NEAR(square.with_word.score, 0.817574F, 1e-6F);
  EXPECT_FLOAT_EQ(square.with_word.score, square.with_word.positive);
}

TEST_F(ExplanationTest, LeavesTheOppositeOutWhereThereIsNone) {
  const Explanation explanation = explained("It is not cheese");

  const auto& square = explanation.cues.front().square;
  ASSERT_TRUE(square);
  EXPECT_EQ(square->without_word.text, "It is cheese");
  EXPECT_FALSE(square->with_opposite);
  EXPECT_FALSE(square->without_opposite);
  EXPECT_FALSE(square->interaction());
}

TEST_F(ExplanationTest, HasNoSquareWhereNothingIsLeftWithoutTheCue) {
  const Explanation explanation = explained("Not");

  ASSERT_EQ(explanation.cues.size(), 1U);
  EXPECT_FALSE(explanation.cues.front().target);
  EXPECT_FALSE(explanation.cues.front().square);
  EXPECT_EQ(explanation.words.front().effect, std::nullopt);
  EXPECT_FALSE(explanation.heads.front().attention);
  EXPECT_FALSE(explanation.heads.front().negation_effect);
}

// Without "movie" f is 2, without "not" -1.5, without "bad" -0.5.
TEST_F(ExplanationTest, LeavesOneWordOutAtATime) {
  std::vector<float> effects;
  for (const WordExplanation& word : explained(kTextbook).words)
    effects.push_back(word.effect.value());

  EXPECT_THAT(effects, ElementsAre(0.0F, -0.5F, 0.0F, 3.0F, 2.0F));
}

// Over the 5 rows of words and 3 heads of the last layer; of the even parts 0.05 each.
TEST_F(ExplanationTest, AveragesWhatAWordReceivesInTheLastLayer) {
  const Explanation explanation = explained(kTextbook);

  const std::vector<float> sums = {1.25F, 2.25F, 2.25F, 5.5F, 1.25F};
  for (std::size_t word = 0; word < sums.size(); ++word)
    EXPECT_NEAR(explanation.words[word].attention, sums[word] / 15, 1e-6F) << word;
}

// Of the 10 pairs 5 agree and 2 do not; 2 tie in attention, 1 in effect: 3 / √(8 x 9).
TEST_F(ExplanationTest, ComparesAttentionWithTheSizeOfEffects) {
  const Agreement agreement = explained(kTextbook).agreement;

  EXPECT_EQ(agreement.num_words, 5);
  ASSERT_TRUE(agreement.tau);
  EXPECT_NEAR(*agreement.tau, 0.35355339, 1e-7);
  EXPECT_FALSE(agreement.p);
}

TEST_F(ExplanationTest, CallsFewerThanFourWordsTooShort) {
  const Agreement three = explained("movie not bad").agreement;
  const Agreement one = explained("bad").agreement;

  EXPECT_TRUE(three.is_too_short());
  EXPECT_EQ(three.num_words, 3);
  EXPECT_FALSE(three.tau);
  EXPECT_EQ(one.num_words, 0);
  EXPECT_FALSE(explained(kTextbook).agreement.is_too_short());
}

TEST_F(ExplanationTest, GivesEveryHeadItsEffect) {
  const std::vector<HeadExplanation> heads = explained(kTextbook).heads;

  ASSERT_EQ(heads.size(), 6U);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    EXPECT_EQ(heads[i].layer, i / 3);
    EXPECT_EQ(heads[i].head, i % 3);
    EXPECT_FLOAT_EQ(heads[i].effect, i == 5 ? 3.0F : 0.25F) << i;
    EXPECT_THAT(heads[i].negation_effect, Optional(i == 5 ? 2.0F : 0.0F)) << i;
  }
}

// From "bad" to "not", and at that distance the rows of "movie", "was" and "not" elsewhere.
TEST_F(ExplanationTest, MeasuresAttentionFromTheTargetToTheCue) {
  const std::vector<HeadExplanation> heads = explained(kTextbook).heads;

  EXPECT_NEAR(heads[0].attention.value(), 1.0F / 7, 1e-6F);
  EXPECT_NEAR(heads[0].baseline.value(), 1.0F / 7, 1e-6F);
  EXPECT_NEAR(heads[3].attention.value(), 1.0F, 1e-6F);
  EXPECT_NEAR(heads[3].baseline.value(), 1.0F, 1e-6F);
  EXPECT_NEAR(heads[5].attention.value(), 0.7F, 1e-6F);
  EXPECT_NEAR(heads[5].baseline.value(), 0.05F, 1e-6F);
}

TEST_F(ExplanationTest, NamesTheKindOfEveryHead) {
  std::vector<HeadKind> kinds;
  for (const HeadExplanation& head : explained(kTextbook).heads) kinds.push_back(head.kind);

  EXPECT_THAT(kinds, ElementsAre(HeadKind::kFlat, HeadKind::kFlat, HeadKind::kFlat,
                                 HeadKind::kPrevious, HeadKind::kNext, HeadKind::kFocused));
}

TEST_F(ExplanationTest, MeasuresNoNegationWithoutACue) {
  const Explanation explanation = explained("The movie was good");

  EXPECT_TRUE(explanation.cues.empty());
  for (const HeadExplanation& head : explanation.heads) {
    EXPECT_FALSE(head.attention);
    EXPECT_FALSE(head.baseline);
    EXPECT_FALSE(head.negation_effect);
  }
  EXPECT_FLOAT_EQ(explanation.heads[5].effect, 1.0F);
}

// Without "bad" the label changes as well, by a smaller effect; the cue comes first in any case.
TEST_F(ExplanationTest, FlipsByDeletingTheCueFirst) {
  expect_flip(explained(kTextbook), EditKind::kDelete, {3}, "The movie was bad");
  expect_flip(explained("Not awful bad"), EditKind::kDelete, {0}, "Awful bad");
}

// f = -0.5; without "bad" 1.5, without "awful" 2.5. And f = 0.5; without "good" -1.5, without
// "movie" 0, where the first label wins.
TEST_F(ExplanationTest, FlipsByTheWordOfLargestEffectWithoutACue) {
  expect_flip(explained("good good bad awful movie"), EditKind::kDelete, {3},
              "good good bad movie");
  expect_flip(explained("good movie bad"), EditKind::kDelete, {0}, "movie bad");
}

// "never" does nothing to this model, and without "good" f is still 0.5.
TEST_F(ExplanationTest, FlipsByTheOppositeWhereNoDeletionDoes) {
  expect_flip(explained("It was never good movie"), EditKind::kSwap, {3}, "It was never bad movie");
}

TEST_F(ExplanationTest, SaysWhereNothingFlips) {
  EXPECT_FALSE(explained("The movie was good").flip);
  EXPECT_FALSE(explained("The movie was never good good").flip);
}

TEST_F(ExplanationTest, KeepsTheInterventionsInEveryPass) {
  const Explanation explanation = explained(kTextbook, {model::HeadUniform{0, 0}});

  const auto& square = explanation.cues.front().square;
  EXPECT_FLOAT_EQ(square->with_word.f, 11.5F);
  EXPECT_FLOAT_EQ(square->without_word.f, 8.5F);
  EXPECT_FLOAT_EQ(square->without_opposite->f, 12.5F);
  EXPECT_FLOAT_EQ(explanation.heads[5].effect, 3.0F);
  EXPECT_FLOAT_EQ(*explanation.words[3].effect, 3.0F);
}

// 1 to find the cue and 8 texts, then 6 heads of the sentence and 6 of its twin.
TEST_F(ExplanationTest, CountsWhatItCost) {
  const Explanation explanation = explained(kTextbook);

  EXPECT_EQ(explanation.passes, 1 + 8 + 6 + 6);
  EXPECT_EQ(explanation.tokens, 7 + (7 + 5 * 6 + 6 + 7) + 6 * 7 + 6 * 6);
  EXPECT_GT(explanation.timings.tokenize.count(), 0);
  EXPECT_GE(explanation.timings.queue.count(), 0);
  EXPECT_GT(explanation.timings.compute.count(), 0);
}

TEST_F(ExplanationTest, RefusesASentenceThatCostsTooMuch) {
  ServiceLimits limits;
  limits.explain_tokens = 128;
  EXPECT_TRUE(outcome(kTextbook, {}, limits));  // 20 passes
  limits.explain_tokens = 127;

  const auto refused = outcome(kTextbook, {}, limits);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, ErrorCode::kTextTooLong);
  EXPECT_EQ(refused.error().error.message,
            "a sentence of 7 tokens needs 20 passes of 128 tokens together, the limit is 127");
  ASSERT_EQ(refused.error().parts.size(), 1U);
  EXPECT_EQ(refused.error().parts.front().part, RequestPart::kInput);
}

TEST_F(ExplanationTest, RefusesASentenceWhoseMapsAreTooLarge) {
  ServiceLimits limits;
  limits.attention_values = 6 * 7 * 7 - 1;

  const auto refused = outcome(kTextbook, {}, limits);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, ErrorCode::kTextTooLong);
  EXPECT_THAT(refused.error().error.message, HasSubstr("294 attention values"));
}

TEST_F(ExplanationTest, FailsAsClassifyDoes) {
  const auto empty = outcome(" ");
  const auto broken = outcome("\xFF");
  const auto no_such_token = outcome("bad", {model::CutLink{0, 0, 3, 0, false}});
  std::string words;
  for (std::int64_t i = 0; i < kTestPositions; ++i) words += "good ";
  const auto too_long = outcome(words);

  EXPECT_EQ(empty.error().error.code, ErrorCode::kEmptyInput);
  EXPECT_EQ(broken.error().error.code, ErrorCode::kInvalidUtf8);
  EXPECT_EQ(no_such_token.error().parts.at(0).part, RequestPart::kCutFrom);
  EXPECT_EQ(too_long.error().error.code, ErrorCode::kTextTooLong);
}

TEST_F(ExplanationTest, FailsWhereAnExperimentIsNotFinite) {
  HandModel::plain_head = std::numeric_limits<float>::quiet_NaN();

  const auto failed = outcome(kTextbook);

  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().error.code, ErrorCode::kNonFinite);
}

}  // namespace
}  // namespace notbad::service
