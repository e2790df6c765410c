#pragma once

#include <cstdint>
#include <string_view>
#include <tl/expected.hpp>

#include "server/api/problem.h"
#include "server/service/sentiment.h"

namespace notbad::api {

// What the loaded model and the limits allow a request to ask for.
struct ClassifyBounds {
  std::int64_t num_layers = 0;  // L
  std::int64_t num_heads = 0;   // H
  std::int64_t max_tokens = 0;  // of one text
  std::int64_t max_inputs = 0;  // of one request
  bool has_negation = true;     // negation is defined for models of two labels
};

struct ClassifyCall {
  service::ClassifyRequest request;
  bool is_list = false;  // whether `inputs` came as a list: the pointers of errors depend on it
  bool return_tokens = false;
};

// The body of POST /v1/classify. Strict: wrong form is a 400, an impossible value a 422, all that
// is wrong is named by pointer.
tl::expected<ClassifyCall, Problem> decode_classify(std::string_view body,
                                                    const ClassifyBounds& bounds);

}  // namespace notbad::api
