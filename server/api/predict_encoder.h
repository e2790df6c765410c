#pragma once

#include <string>
#include <vector>

#include "server/api/predict_decoder.h"

namespace notbad::api {

// The body of an answer of POST /predict: [{"label", "score"}, ...], the best first, or a list of
// such lists where the inputs were one. `labels` are those of the model.
std::string encode_predict(const PredictCall& call, const service::ClassifyAnswer& answer,
                           const std::vector<std::string>& labels);

}  // namespace notbad::api
