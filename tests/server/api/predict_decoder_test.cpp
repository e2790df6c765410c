#include "server/api/predict_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace notbad::api {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kMaxInputs = 2;

PredictCall call_of(std::string_view body) {
  auto call = decode_predict(body, kMaxInputs);
  EXPECT_TRUE(call) << body << ": " << (call ? "" : call.error().detail);
  return call ? std::move(*call) : PredictCall{};
}

std::string failure_of(std::string_view body) {
  const auto call = decode_predict(body, kMaxInputs);
  if (call) return "none";
  const auto& items = call.error().items;
  return std::string(kind_of(call.error().code).code) + " " +
         (items.empty() ? "" : items.front().pointer);
}

TEST(PredictDecoderTest, TakesAStringOrAList) {
  const PredictCall one = call_of(R"({"inputs": "good"})");
  const PredictCall two = call_of(R"({"inputs": ["good", "bad"]})");

  EXPECT_THAT(one.request.inputs, ElementsAre("good"));
  EXPECT_FALSE(one.is_list);
  EXPECT_EQ(one.function, ScoreFunction::kSoftmax);
  EXPECT_EQ(one.top_k, 0);
  EXPECT_EQ(one.request.options.truncate, service::Truncate::kRight);
  EXPECT_EQ(one.request.options.negation, service::Negation::kNone);
  EXPECT_THAT(two.request.inputs, ElementsAre("good", "bad"));
  EXPECT_TRUE(two.is_list);
}

TEST(PredictDecoderTest, TakesWhatClientsOfHuggingFaceSend) {
  const PredictCall call =
      call_of(R"({"inputs": "a", "parameters": {"top_k": 1, "function_to_apply": "sigmoid"}})");

  EXPECT_EQ(call.top_k, 1);
  EXPECT_EQ(call.function, ScoreFunction::kSigmoid);
}

TEST(PredictDecoderTest, TakesWhatClientsOfTextEmbeddingsInferenceSend) {
  const PredictCall call = call_of(R"({"inputs": "a", "truncate": false, "raw_scores": true})");

  EXPECT_EQ(call.request.options.truncate, service::Truncate::kError);
  EXPECT_EQ(call.function, ScoreFunction::kNone);
}

TEST(PredictDecoderTest, IgnoresNullsAndWhatItDoesNotKnow) {
  const PredictCall call = call_of(
      R"({"inputs": "a", "options": {"wait_for_model": true}, "truncate": null, "raw_scores": null,
          "parameters": {"top_k": null, "function_to_apply": null, "padding": 1}})");

  EXPECT_EQ(call.top_k, 0);
  EXPECT_EQ(call.function, ScoreFunction::kSoftmax);
  EXPECT_FALSE(call_of(R"({"inputs": "a", "parameters": null})").is_list);
}

TEST(PredictDecoderTest, RefusesWhatItKnowsButCannotUse) {
  EXPECT_EQ(failure_of("{"), "invalid_json ");
  EXPECT_EQ(failure_of("[]"), "bad_request ");
  EXPECT_EQ(failure_of("{}"), "bad_request /inputs");
  EXPECT_EQ(failure_of(R"({"inputs": null})"), "bad_request /inputs");
  EXPECT_EQ(failure_of(R"({"inputs": ["a", 1]})"), "bad_request /inputs/1");
  EXPECT_EQ(failure_of(R"({"inputs": []})"), "empty_input /inputs");
  EXPECT_EQ(failure_of(R"({"inputs": ["a", "b", "c"]})"), "batch_too_large /inputs");
  EXPECT_EQ(failure_of(R"({"inputs": "a", "inputs": "b"})"), "duplicate_member /inputs");
  EXPECT_EQ(failure_of(R"({"inputs": "a", "truncate": "right"})"), "bad_request /truncate");
  EXPECT_EQ(failure_of(R"({"inputs": "a", "parameters": []})"), "bad_request /parameters");
  EXPECT_EQ(failure_of(R"({"inputs": "a", "parameters": {"top_k": 0}})"),
            "invalid_option /parameters/top_k");
  EXPECT_EQ(failure_of(R"({"inputs": "a", "parameters": {"top_k": 1.5}})"),
            "bad_request /parameters/top_k");
  EXPECT_EQ(failure_of(R"({"inputs": "a", "parameters": {"function_to_apply": "tanh"}})"),
            "invalid_option /parameters/function_to_apply");
}

}  // namespace
}  // namespace notbad::api
