// Bodies of requests: whatever they are, the answer is a call within its bounds or a problem of the
// client's that holds nothing but our own text.

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "server/api/classify_decoder.h"
#include "server/api/explain_decoder.h"
#include "server/api/json_value.h"
#include "server/api/predict_decoder.h"
#include "tests/fuzz/memory_file.h"

using namespace notbad;
using fuzzing::require;

namespace {

constexpr api::ClassifyBounds kBounds = {
    .num_layers = 6, .num_heads = 12, .max_tokens = 256, .max_inputs = 32};
constexpr std::size_t kLongestAnswer = 65'536;  // 16 items with pointers of ours

void check_problem(const api::Problem& problem) {
  const api::Response response = api::to_response(problem, "id");
  require(response.status == 400 || response.status == 422);
  require(response.body.size() < kLongestAnswer);
  require(api::parse_json(response.body).has_value());
}

void check_index(std::int64_t index, std::int64_t end) { require(index >= 0 && index < end); }

void check_interventions(const std::vector<model::Intervention>& interventions) {
  for (const model::Intervention& intervention : interventions)
    std::visit(
        [](const auto& change) {
          check_index(change.layer, kBounds.num_layers);
          check_index(change.head, kBounds.num_heads);
        },
        intervention);
}

void check_call(const api::ClassifyCall& call) {
  const service::ClassifyRequest& request = call.request;
  require(!request.inputs.empty());
  require(static_cast<std::int64_t>(request.inputs.size()) <= kBounds.max_inputs);
  for (const std::int64_t layer : request.options.maps.layers)
    check_index(layer, kBounds.num_layers);
  for (const std::int64_t head : request.options.maps.heads) check_index(head, kBounds.num_heads);
  check_interventions(request.options.interventions);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  if (const auto call = api::decode_classify(body, kBounds))
    check_call(*call);
  else
    check_problem(call.error());
  if (const auto request = api::decode_explain(body, kBounds))
    check_interventions(request->interventions);
  else
    check_problem(request.error());
  if (const auto call = api::decode_predict(body, kBounds.max_inputs))
    require(!call->request.inputs.empty() && call->top_k >= 0);
  else
    check_problem(call.error());
  return 0;
}
