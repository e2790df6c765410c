#include "server/api/predict_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "server/api/json_writer.h"

namespace notbad::api {
namespace {

std::vector<float> scores_of(const service::Sentiment& sentiment, ScoreFunction function) {
  switch (function) {
    case ScoreFunction::kSoftmax:
      return sentiment.probabilities;
    case ScoreFunction::kNone:
      return sentiment.logits;
    case ScoreFunction::kSigmoid: {
      std::vector<float> scores = sentiment.logits;
      for (float& score : scores) score = 1.0F / (1.0F + std::exp(-score));
      return scores;
    }
  }
  throw std::logic_error("scores_of: no such function");
}

void write_scores(JsonWriter& json, const std::vector<float>& scores, std::int64_t top_k,
                  const std::vector<std::string>& labels) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return scores[i]; });
  if (top_k > 0) order.resize(std::min(order.size(), static_cast<std::size_t>(top_k)));
  json.begin_array();
  for (const std::size_t i : order) {
    json.begin_object();
    json.key("label").string(labels[i]);
    json.key("score").number(scores[i]);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string encode_predict(const PredictCall& call, const service::ClassifyAnswer& answer,
                           const std::vector<std::string>& labels) {
  JsonWriter json;
  if (call.is_list) json.begin_array();
  for (const service::Sentiment& sentiment : answer.results)
    write_scores(json, scores_of(sentiment, call.function), call.top_k, labels);
  if (call.is_list) json.end_array();
  return json.take();
}

}  // namespace notbad::api
