#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "server/api/classify_decoder.h"
#include "server/api/problem.h"
#include "server/service/explanation.h"

namespace notbad::api {

// The body of POST /v1/explain: {"input", "interventions"}, the latter optional. As strict as that
// of /v1/classify. A model that has other labels than two is a 422.
tl::expected<service::ExplainRequest, Problem> decode_explain(std::string_view body,
                                                              const ClassifyBounds& bounds);

}  // namespace notbad::api
