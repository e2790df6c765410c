#include "server/api/explain_encoder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tokenizer/shipped_tokenizer.h"

namespace notbad::api {
namespace {

using nlohmann::json;
using service::TextAnswer;

class ExplainEncoderTest : public testing::Test {
 protected:
  ExplainEncoderTest() {
    model_.config.model_id = "by hand";
    model_.config.num_layers = 2;
    model_.labels = {"negative", "positive"};
    service::Sentiment& result = explanation_.result;
    result.label = 1;
    result.logits = {-0.5F, 0.5F};
    result.probabilities = {0.25F, 0.75F};
    result.encoding = tokenizer::encode(request_.input);
    explanation_.words.resize(result.encoding.words.size());
  }

  json encoded() const {
    return json::parse(encode_explain(request_, explanation_, model_, {"id-1", {}}));
  }

  // What the contract calls a text's answer.
  static TextAnswer positive(const std::string& text) { return {text, 1, 0.75F, 0.75F, 1.0F}; }
  static TextAnswer negative(const std::string& text) { return {text, 0, 0.875F, 0.125F, -2.0F}; }

  service::ExplainRequest request_{"Not bad", {}};
  service::Explanation explanation_;
  service::ModelBundle model_;
};

TEST_F(ExplainEncoderTest, GivesTheResultAsClassifyDoesWithTokens) {
  const json answer = encoded();

  EXPECT_EQ(answer.at("id"), "id-1");
  EXPECT_EQ(answer.at("model").at("id"), "by hand");
  const json& result = answer.at("result");
  EXPECT_EQ(result.at("label"), "positive");
  EXPECT_EQ(result.at("probabilities"), json({{"negative", 0.25}, {"positive", 0.75}}));
  EXPECT_EQ(result.at("tokens").size(), 4U);
  EXPECT_FALSE(result.contains("negation"));
  EXPECT_FALSE(result.contains("attention"));
}

TEST_F(ExplainEncoderTest, WritesTheSquareOfACue) {
  const service::NegationSquare square{"good", positive("Not bad"), negative("Bad"),
                                       negative("Not good"), positive("Good")};
  explanation_.cues = {{{{0}, "Not", {1}}, 1, square}};

  const json cue = encoded().at("negation").at("cues").at(0);

  EXPECT_EQ(cue, json::parse(R"({
    "words": [0], "text": "Not", "scope": [1], "target": {"word": 1, "text": "bad"},
    "square": {
      "with": {
        "word": {"text": "Not bad", "label": "positive", "score": 0.75, "positive": 0.75, "f": 1.0},
        "opposite": {"word": "good", "text": "Not good", "label": "negative", "score": 0.875,
                     "positive": 0.125, "f": -2.0}},
      "without": {
        "word": {"text": "Bad", "label": "negative", "score": 0.875, "positive": 0.125, "f": -2.0},
        "opposite": {"word": "good", "text": "Good", "label": "positive", "score": 0.75,
                     "positive": 0.75, "f": 1.0}}},
    "interaction": 6.0
  })"));
}

TEST_F(ExplainEncoderTest, WritesNullForWhatACueDoesNotHave) {
  const service::NegationSquare square{"", positive("Not bad"), negative("Bad"), {}, {}};
  explanation_.cues = {{{{0}, "Not", {}}, std::nullopt, square},
                       {{{0}, "Not", {}}, std::nullopt, std::nullopt}};

  const json cues = encoded().at("negation").at("cues");

  EXPECT_TRUE(cues.at(0).at("target").is_null());
  EXPECT_TRUE(cues.at(0).at("square").at("with").at("opposite").is_null());
  EXPECT_TRUE(cues.at(0).at("square").at("without").at("opposite").is_null());
  EXPECT_TRUE(cues.at(0).at("interaction").is_null());
  EXPECT_TRUE(cues.at(1).at("square").is_null());
  EXPECT_TRUE(cues.at(1).at("interaction").is_null());
}

TEST_F(ExplainEncoderTest, WritesTheFlipWhereThereIsOne) {
  EXPECT_TRUE(encoded().at("negation").at("flip").is_null());
  explanation_.flip = {service::EditKind::kSwap, {1}, negative("Not good")};

  EXPECT_EQ(encoded().at("negation").at("flip"),
            json::parse(R"({"edit": "swap", "words": [1], "text": "Not good",
                            "label": "negative", "score": 0.875, "positive": 0.125, "f": -2.0})"));
  explanation_.flip->edit = service::EditKind::kDelete;
  EXPECT_EQ(encoded().at("negation").at("flip").at("edit"), "delete");
}

TEST_F(ExplainEncoderTest, WritesAWordAtATime) {
  explanation_.words = {{1.5F, 0.25F}, {std::nullopt, 0.5F}};

  EXPECT_EQ(encoded().at("words"), json::parse(R"([
    {"word": 0, "text": "Not", "effect": 1.5, "attention": 0.25},
    {"word": 1, "text": "bad", "effect": null, "attention": 0.5}])"));
}

TEST_F(ExplainEncoderTest, WritesAHeadAtATime) {
  explanation_.heads = {{0, 1, 0.5F, 0.25F, -1.5F, 2.0F, service::HeadKind::kPrevious},
                        {1, 0, {}, {}, 0.5F, {}, service::HeadKind::kSink}};

  EXPECT_EQ(encoded().at("heads"), json::parse(R"([
    {"layer": 0, "head": 1, "attention": 0.5, "baseline": 0.25, "effect": -1.5,
     "negation_effect": 2.0, "kind": "previous"},
    {"layer": 1, "head": 0, "attention": null, "baseline": null, "effect": 0.5,
     "negation_effect": null, "kind": "sink"}])"));
}

TEST_F(ExplainEncoderTest, NamesEveryKindOfHead) {
  using enum service::HeadKind;
  for (const auto& [kind, name] :
       {std::pair(kFlat, "flat"), std::pair(kNext, "next"), std::pair(kFocused, "focused")}) {
    explanation_.heads = {{0, 0, {}, {}, 0.0F, {}, kind}};
    EXPECT_EQ(encoded().at("heads").at(0).at("kind"), name);
  }
}

TEST_F(ExplainEncoderTest, SaysWhyThereIsNoAgreement) {
  explanation_.agreement = {0.5, 0.25, 5};
  const json agreed = encoded().at("agreement");
  explanation_.agreement = {{}, {}, 3};
  const json short_one = encoded().at("agreement");
  explanation_.agreement = {{}, {}, 4};
  const json tied = encoded().at("agreement");

  EXPECT_EQ(agreed, json::parse(R"({"tau": 0.5, "p": 0.25, "reason": null, "layer": 1,
                                    "head": null, "n": 5})"));
  EXPECT_EQ(short_one.at("reason"), "too_short");
  EXPECT_TRUE(short_one.at("tau").is_null());
  EXPECT_EQ(tied.at("reason"), "tied");
}

TEST_F(ExplainEncoderTest, RepeatsTheInterventionsInTheFormThatClassifyReads) {
  request_.interventions = {model::HeadOff{1, 2}, model::HeadUniform{0, 1},
                            model::CutLink{1, 0, 3, 2, true}};

  EXPECT_EQ(encoded().at("interventions"), json::parse(R"([
    {"kind": "head_off", "layer": 1, "head": 2}, {"kind": "head_uniform", "layer": 0, "head": 1},
    {"kind": "cut", "layer": 1, "head": 0, "from": 3, "to": 2, "renormalise": true}])"));
}

TEST_F(ExplainEncoderTest, CountsPassesAndTime) {
  explanation_.passes = 21;
  explanation_.tokens = 135;
  explanation_.timings = {std::chrono::microseconds(5), std::chrono::microseconds(6),
                          std::chrono::microseconds(7)};

  const json answer = encoded();

  EXPECT_EQ(answer.at("usage"), json({{"passes", 21}, {"tokens", 135}}));
  EXPECT_EQ(answer.at("timings_us"),
            json({{"tokenize", 5}, {"queue", 6}, {"compute", 7}, {"total", 0}}));
}

}  // namespace
}  // namespace notbad::api
