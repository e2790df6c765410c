#include "server/service/negation_effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/support/scripted_service.h"
#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The experiments on a text under the shipped tokenizer, of a model of 2 layers and 3 heads whose
// answers a test makes up.
class NegationEffectsTest : public testing::Test {
 protected:
  NegationExperiments experiments(const std::string& text,
                                  std::vector<model::Intervention> interventions = {}) {
    sentiment_.encoding = tokenizer::encode(text);
    sentiment_.cues = find_negation_cues(sentiment_.encoding, text);
    return {SentenceEditor(tokenizer::shipped_tokenizer(), 128), bundle_.config, text, sentiment_,
            interventions};
  }

  static std::vector<std::int32_t> ids_of(const std::string& text) {
    std::vector<std::int32_t> ids;
    for (const auto& token : tokenizer::encode(text).tokens) ids.push_back(token.id);
    return ids;
  }

  static SequenceAnswer answer_of(float f) {
    SequenceAnswer answer;
    answer.output.logits = {-f / 2, f / 2};
    answer.output.probabilities = f > 0 ? std::vector{0.25F, 0.75F} : std::vector{0.875F, 0.125F};
    return answer;
  }

  ModelBundle bundle_ = scripted_bundle();
  Sentiment sentiment_;
};

TEST_F(NegationEffectsTest, LeaveOutEachCueAndSwitchOffEachHead) {
  const auto made = experiments("It was not bad and never dull");

  const auto& passes = made.passes();
  ASSERT_EQ(passes.size(), 2U + 1U + 6U);
  EXPECT_EQ(passes[0].ids, ids_of("It was bad and never dull"));
  EXPECT_EQ(passes[1].ids, ids_of("It was not bad and dull"));
  for (std::size_t i = 2; i < passes.size(); ++i)
    EXPECT_EQ(passes[i].ids, ids_of("It was not bad and never dull"));
  EXPECT_THAT(passes[2].options.attention.layers, ElementsAre(0, 1));
  EXPECT_THAT(passes[2].options.attention.heads, ElementsAre(0, 1, 2));
  EXPECT_THAT(passes[2].options.interventions, IsEmpty());
  EXPECT_EQ(std::get<model::HeadOff>(passes[8].options.interventions.at(0)).head, 2);
}

TEST_F(NegationEffectsTest, NeedNoPassWhereNothingNegates) {
  const auto made = experiments("It was bad");

  EXPECT_THAT(made.passes(), IsEmpty());
  const NegationEffects effects = made.read({}, sentiment_);
  EXPECT_THAT(effects.without, IsEmpty());
  EXPECT_THAT(effects.heads, IsEmpty());
}

TEST_F(NegationEffectsTest, HaveNothingToSayOfACueThatIsTheWholeText) {
  const auto made = experiments("Never!");

  ASSERT_EQ(made.passes().size(), 1U);  // "!"
  EXPECT_THAT(experiments("never").passes(), IsEmpty());
}

TEST_F(NegationEffectsTest, KeepTheInterventionsOfTheRequestInEveryPass) {
  const auto made = experiments("It was not bad", {model::HeadUniform{1, 0}});

  for (const ForwardPass& pass : made.passes()) {
    ASSERT_FALSE(pass.options.interventions.empty());
    EXPECT_TRUE(std::holds_alternative<model::HeadUniform>(pass.options.interventions.front()));
  }
}

TEST_F(NegationEffectsTest, RankHeadsByAttentionOverItsBaselineWithTheEffectOfEach) {
  const auto made = experiments("It was not bad");
  std::vector<SequenceAnswer> answers = {answer_of(-2.0F), answer_of(3.0F)};
  for (int head = 0; head < 6; ++head) answers.push_back(answer_of(static_cast<float>(head)));
  const std::int64_t tokens = std::ssize(sentiment_.encoding.tokens);
  Tensor& maps = answers[1].output.attention;
  maps = Tensor({2, 3, tokens, tokens});
  maps.data()[(4 * tokens + 4) * tokens + 3] = 0.6F;  // layer 1 head 1: "bad" at "not"
  maps.data()[(2 * tokens + 4) * tokens + 3] = 0.5F;  // layer 0 head 2

  const NegationEffects effects = made.read(answers, sentiment_);

  ASSERT_EQ(effects.without.size(), 1U);
  ASSERT_TRUE(effects.without[0]);
  EXPECT_EQ(effects.without[0]->label, 0);
  EXPECT_EQ(effects.without[0]->score, 0.875F);
  ASSERT_EQ(effects.heads.size(), 6U);
  EXPECT_EQ(effects.heads[0].layer, 1);
  EXPECT_EQ(effects.heads[0].head, 1);
  EXPECT_FLOAT_EQ(effects.heads[0].attention, 0.6F);
  EXPECT_FLOAT_EQ(effects.heads[0].effect, 3.0F - 4.0F);
  EXPECT_EQ(effects.heads[1].head, 2);
  EXPECT_FLOAT_EQ(effects.heads[1].effect, 3.0F - 2.0F);
}

TEST_F(NegationEffectsTest, RefuseAnswersToOtherPasses) {
  EXPECT_THROW(experiments("It was not bad").read({}, sentiment_), std::logic_error);
}

}  // namespace
}  // namespace notbad::service
