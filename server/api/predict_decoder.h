#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "server/api/problem.h"
#include "server/service/sentiment.h"

namespace notbad::api {

enum class ScoreFunction { kSoftmax, kSigmoid, kNone };  // what makes scores of logits

struct PredictCall {
  service::ClassifyRequest request{};
  bool is_list = false;  // whether `inputs` came as a list: the answer is then one of lists
  ScoreFunction function = ScoreFunction::kSoftmax;
  std::int64_t top_k = 0;  // labels of one text, best first; 0: all of them
};

// The body of POST /predict, as clients of Hugging Face's inference API and of
// text-embeddings-inference send it: `parameters.top_k` and `.function_to_apply` of the one,
// `truncate` and `raw_scores` of the other. Unknown members and nulls are ignored, known ones must
// be right: wrong form is a 400, an impossible value a 422.
tl::expected<PredictCall, Problem> decode_predict(std::string_view body, std::int64_t max_inputs);

}  // namespace notbad::api
