#include "server/service/explanation_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "server/service/negation_cues.h"
#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::service {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kLayers = 2;
constexpr std::int64_t kHeads = 3;

model::ModelConfig small_config() {
  model::ModelConfig config;
  config.num_layers = kLayers;
  config.num_heads = kHeads;
  config.max_positions = 64;
  return config;
}

class ExplanationPlanTest : public testing::Test {
 protected:
  ExplanationPlan plan(const std::string& text,
                       std::optional<std::vector<NegationCue>> cues = std::nullopt) {
    text_ = text;
    sentiment_.encoding = tokenizer::encode(text);
    sentiment_.cues = cues ? *cues : find_negation_cues(sentiment_.encoding, text);
    return {tokenizer::shipped_tokenizer(), config_, text_, sentiment_, interventions_};
  }

  static std::vector<std::string> texts(const ExplanationPlan& plan) {
    std::vector<std::string> texts;
    for (const Sentence& sentence : plan.sentences()) texts.push_back(sentence.text);
    return texts;
  }
  static std::string text(const ExplanationPlan& plan, const std::optional<std::size_t>& index) {
    return index ? plan.sentences()[*index].text : "none";
  }

  const model::ModelConfig config_ = small_config();
  std::string text_;
  Sentiment sentiment_;
  std::vector<model::Intervention> interventions_;
};

TEST_F(ExplanationPlanTest, PassesEveryTextOnce) {
  EXPECT_THAT(texts(plan("The movie was not bad")),
              ElementsAre("The movie was not bad", "Movie was not bad", "The was not bad",
                          "The movie not bad", "The movie was bad", "The movie was not",
                          "The movie was good", "The movie was not good"));
}

TEST_F(ExplanationPlanTest, FillsTheSquareOfEachCue) {
  const ExplanationPlan plan = this->plan("It is not dull and never boring");

  ASSERT_EQ(plan.cues().size(), 2U);
  const CuePlan& first = plan.cues()[0];
  EXPECT_EQ(first.target, 3);
  EXPECT_EQ(first.opposite, "gripping");
  EXPECT_EQ(text(plan, first.without), "It is dull and never boring");
  EXPECT_EQ(text(plan, first.with_opposite), "It is not gripping and never boring");
  EXPECT_EQ(text(plan, first.without_opposite), "It is gripping and never boring");
  EXPECT_EQ(plan.cues()[1].opposite, "exciting");
  EXPECT_EQ(text(plan, plan.cues()[1].without_opposite), "It is not dull and exciting");
  EXPECT_EQ(plan.twin(), first.without);
}

TEST_F(ExplanationPlanTest, LeavesTheOppositeOutWhereTheListHasNone) {
  const ExplanationPlan plan = this->plan("It is not cheese");

  ASSERT_EQ(plan.cues().size(), 1U);
  EXPECT_EQ(plan.cues()[0].target, 3);
  EXPECT_FALSE(plan.cues()[0].opposite);
  EXPECT_EQ(text(plan, plan.cues()[0].without), "It is cheese");
  EXPECT_FALSE(plan.cues()[0].with_opposite);
  EXPECT_FALSE(plan.cues()[0].without_opposite);
}

TEST_F(ExplanationPlanTest, TakesTheWordOfTheScopeThatHasAnOpposite) {
  const std::string text = "I would not call this boring";

  const ExplanationPlan by_place = plan(text);
  const ExplanationPlan by_scope = plan(text, {{{{2}, "not", {3, 4, 5}}}});

  EXPECT_EQ(by_place.cues()[0].target, 3);
  EXPECT_EQ(by_scope.cues()[0].target, 5);
}

TEST_F(ExplanationPlanTest, HasNoTwinWithoutACueOrWithNothingElse) {
  EXPECT_FALSE(plan("A good film").twin());
  EXPECT_FALSE(plan("Not").twin());
  EXPECT_THAT(texts(plan("Not")), ElementsAre("Not"));
  EXPECT_THAT(plan("Not").without_word(), ElementsAre(std::nullopt));
}

TEST_F(ExplanationPlanTest, DeletesAllWordsOfACue) {
  const ExplanationPlan plan = this->plan("It is by no means bad", {{{{2, 3, 4}, "by no means"}}});

  EXPECT_EQ(text(plan, plan.cues()[0].without), "It is bad");
  EXPECT_EQ(text(plan, plan.without_word()[3]), "It is by means bad");
}

TEST_F(ExplanationPlanTest, ListsTheSentencesThenBothWithoutEachHead) {
  const ExplanationPlan plan = this->plan("not bad film");
  const std::vector<ForwardPass> passes = plan.passes();

  const std::size_t sentences = plan.sentences().size();
  ASSERT_EQ(passes.size(), sentences + 2 * kLayers * kHeads);
  EXPECT_EQ(passes[0].ids.size(), 5U);
  EXPECT_THAT(passes[0].options.attention.layers, ElementsAre(0, 1));
  EXPECT_THAT(passes[0].options.attention.heads, ElementsAre(0, 1, 2));
  const std::size_t twin = *plan.twin();
  for (std::size_t i = 1; i < passes.size(); ++i)
    EXPECT_TRUE(passes[i].options.attention.is_empty()) << i;
  for (std::size_t i = 0; i < kLayers * kHeads; ++i) {
    const ForwardPass& off = passes[sentences + i];
    const ForwardPass& twin_off = passes[sentences + kLayers * kHeads + i];
    EXPECT_EQ(off.ids, passes[0].ids);
    EXPECT_EQ(twin_off.ids, passes[twin].ids);
    for (const ForwardPass* pass : {&off, &twin_off}) {
      ASSERT_EQ(pass->options.interventions.size(), 1U);
      const auto& head = std::get<model::HeadOff>(pass->options.interventions[0]);
      EXPECT_EQ(head.layer * kHeads + head.head, static_cast<std::int64_t>(i));
    }
  }
}

TEST_F(ExplanationPlanTest, PutsTheInterventionsIntoEveryPass) {
  interventions_ = {model::HeadUniform{0, 0}, model::CutLink{1, 1, 2, 1, false}};
  const ExplanationPlan plan = this->plan("not bad film");  // [CLS] not bad film [SEP]

  const std::vector<ForwardPass> passes = plan.passes();

  for (const ForwardPass& pass : passes) {
    ASSERT_FALSE(pass.options.interventions.empty());
    EXPECT_TRUE(std::holds_alternative<model::HeadUniform>(pass.options.interventions[0]));
  }
  EXPECT_EQ(passes[0].options.interventions.size(), 2U);
  EXPECT_EQ(passes[*plan.twin()].options.interventions.size(), 1U);  // its link has gone
}

}  // namespace
}  // namespace notbad::service
