#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "server/api/classify_decoder.h"
#include "server/service/model_bundle.h"
#include "server/service/sentiment.h"

namespace notbad::api {

// What an answer says besides the results.
struct AnswerFrame {
  std::string_view request_id;
  std::chrono::nanoseconds total{};  // from the first look at the request to the encoding
};

// The body of the answer to `call`.
std::string encode_classify(const ClassifyCall& call, const service::ClassifyAnswer& answer,
                            const service::ModelBundle& model, const AnswerFrame& frame);

}  // namespace notbad::api
