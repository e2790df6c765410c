#pragma once

#include <string>

#include "server/api/classify_encoder.h"
#include "server/service/explanation.h"
#include "server/service/model_bundle.h"

namespace notbad::api {

// The body of the answer to `request`. A figure that an explanation does not have is null.
std::string encode_explain(const service::ExplainRequest& request,
                           const service::Explanation& explanation,
                           const service::ModelBundle& model, const AnswerFrame& frame);

}  // namespace notbad::api
