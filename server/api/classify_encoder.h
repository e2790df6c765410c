#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/classify_decoder.h"
#include "server/api/json_writer.h"
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

// Parts of it that other answers share.
std::string_view cue_source_name(service::CueSource source);  // "model" or "list"
void write_indices(JsonWriter& json, const std::vector<std::int64_t>& indices);
void write_timings(JsonWriter& json, const service::Timings& timings,
                   std::chrono::nanoseconds total);
// The answer to input `index` of `call`.
void write_result(JsonWriter& json, const ClassifyCall& call, const service::Sentiment& sentiment,
                  std::size_t index, const std::vector<std::string>& labels);

}  // namespace notbad::api
