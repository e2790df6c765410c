#include "server/service/head_effects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "server/service/evidence.h"

namespace notbad::service {
namespace {

using testing::ElementsAre;

SequenceAnswer answer_of(float negative, float positive) {
  SequenceAnswer answer;
  answer.output.logits = {negative, positive};
  return answer;
}

TEST(EvidenceTest, IsPositiveLessNegative) {
  EXPECT_FLOAT_EQ(evidence({-1.5F, 2.0F}), 3.5F);
  EXPECT_THROW(evidence({1.0F, 2.0F, 3.0F}), std::logic_error);
}

TEST(HeadEffectsTest, SwitchesEachHeadOffOnTopOfThePassesOwnInterventions) {
  model::ModelConfig config;
  config.num_layers = 2;
  config.num_heads = 3;
  ForwardPass pass{{1, 2, 3}};
  pass.options.attention = {{0}, {0}};
  pass.options.interventions = {model::HeadUniform{1, 1}};

  const auto passes = passes_without_each_head(pass, config);

  ASSERT_EQ(passes.size(), 6U);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    EXPECT_THAT(passes[i].ids, ElementsAre(1, 2, 3));
    EXPECT_TRUE(passes[i].options.attention.is_empty());
    ASSERT_EQ(passes[i].options.interventions.size(), 2U);
    const auto& off = std::get<model::HeadOff>(passes[i].options.interventions[1]);
    EXPECT_EQ(off.layer * 3 + off.head, static_cast<std::int64_t>(i));
  }
}

TEST(HeadEffectsTest, AreTheAnswerWithLessTheAnswerWithout) {
  const std::vector<SequenceAnswer> off = {answer_of(0, 1), answer_of(2, 0)};

  EXPECT_THAT(head_effects(answer_of(-1, 2).output, off), ElementsAre(2.0F, 5.0F));
}

}  // namespace
}  // namespace notbad::service
