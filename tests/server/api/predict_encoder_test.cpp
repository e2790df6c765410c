#include "server/api/predict_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace notbad::api {
namespace {

using nlohmann::json;

const std::vector<std::string> kLabels = {"bad", "fine", "good"};

service::ClassifyAnswer answer_of(std::size_t texts) {
  service::ClassifyAnswer answer;
  for (std::size_t i = 0; i < texts; ++i) {
    service::Sentiment& sentiment = answer.results.emplace_back();
    sentiment.logits = {-1.0F, 2.0F, 0.5F};
    sentiment.probabilities = {0.125F, 0.625F, 0.25F};
  }
  return answer;
}

TEST(PredictEncoderTest, PutsTheBestLabelFirst) {
  const json body = json::parse(encode_predict({}, answer_of(1), kLabels));

  EXPECT_EQ(body,
            json::parse(R"([{"label": "fine", "score": 0.625}, {"label": "good", "score": 0.25},
                                  {"label": "bad", "score": 0.125}])"));
}

TEST(PredictEncoderTest, AnswersAListByAListOfLists) {
  const json one = json::parse(encode_predict({.is_list = true}, answer_of(1), kLabels));
  const json two =
      json::parse(encode_predict({.is_list = true, .top_k = 1}, answer_of(2), kLabels));

  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one.at(0).size(), 3U);
  EXPECT_EQ(two, json::parse(R"([[{"label": "fine", "score": 0.625}],
                                 [{"label": "fine", "score": 0.625}]])"));
}

TEST(PredictEncoderTest, MayAskForMoreLabelsThanThereAre) {
  EXPECT_EQ(json::parse(encode_predict({.top_k = 1'000'000}, answer_of(1), kLabels)).size(), 3U);
}

TEST(PredictEncoderTest, AppliesTheFunction) {
  const json raw =
      json::parse(encode_predict({.function = ScoreFunction::kNone}, answer_of(1), kLabels));
  const json sigmoid =
      json::parse(encode_predict({.function = ScoreFunction::kSigmoid}, answer_of(1), kLabels));

  EXPECT_EQ(raw.at(0).at("score"), 2.0);
  EXPECT_EQ(raw.at(2).at("score"), -1.0);
  EXPECT_NEAR(sigmoid.at(0).at("score").get<double>(), 1.0 / (1.0 + std::exp(-2.0)), 1e-6);
  EXPECT_NEAR(sigmoid.at(2).at("score").get<double>(), 1.0 / (1.0 + std::exp(1.0)), 1e-6);
}

}  // namespace
}  // namespace notbad::api
