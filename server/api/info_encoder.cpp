#include "server/api/info_encoder.h"

#include <optional>
#include <vector>

#include "server/api/json_writer.h"
#include "server/api/model_identity.h"

namespace notbad::api {
namespace {

void write_config(JsonWriter& json, const model::ModelConfig& config) {
  json.begin_object();
  json.key("vocab_size").integer(config.vocab_size);
  json.key("d_model").integer(config.d_model);
  json.key("num_heads").integer(config.num_heads);
  json.key("num_layers").integer(config.num_layers);
  json.key("d_ff").integer(config.d_ff);
  json.key("max_positions").integer(config.max_positions);
  json.key("num_labels").integer(config.num_labels);
  json.key("pooling").string(config.pooling == model::Pooling::kMean ? "mean" : "first");
  json.end_object();
}

// Null where the model has none.
void write_negation_head(JsonWriter& json, const std::optional<model::HeadIndex>& head) {
  if (!head) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("layer").integer(head->layer);
  json.key("head").integer(head->head);
  json.end_object();
}

void write_limits(JsonWriter& json, const service::ServiceLimits& service,
                  const RequestLimits& request) {
  json.begin_object();
  json.key("inputs").integer(service.inputs);
  json.key("tokens").integer(service.tokens);
  json.key("characters").integer(service.characters);
  json.key("attention_values").integer(service.attention_values);
  json.key("explain_tokens").integer(service.explain_tokens);
  json.key("effect_tokens").integer(service.effect_tokens);
  json.key("body_bytes").integer(request.body_bytes);
  json.key("concurrent_requests").integer(request.concurrent);
  json.key("timeout_ms").integer(request.timeout_ms);
  json.end_object();
}

void write_strings(JsonWriter& json, const std::vector<std::string>& strings) {
  json.begin_array();
  for (const std::string& string : strings) json.string(string);
  json.end_array();
}

}  // namespace

std::string encode_info(const service::SentimentService& service, const RequestLimits& limits,
                        const EngineInfo& engine) {
  const service::ModelBundle& model = service.bundle();
  JsonWriter json;
  json.begin_object();
  json.key("model");
  write_model_identity(json, model);
  json.key("config");
  write_config(json, model.config);
  json.key("negation_head");
  write_negation_head(json, model.config.negation_head);
  json.key("tagger").boolean(model.config.tagger.has_value());
  json.key("labels");
  write_strings(json, model.labels);
  json.key("limits");
  write_limits(json, service.limits(), limits);
  json.key("dtype").string(ops::name_of(model.dtype));
  json.key("engine").begin_object();
  json.key("name").string(engine.name);
  json.key("version").string(engine.version);
  json.key("kernels");
  write_strings(json, service.kernels());
  json.end_object();
  json.key("build").begin_object();
  json.key("version").string(NOTBAD_VERSION);
  json.key("compiler").string(NOTBAD_COMPILER);
  json.end_object();
  json.end_object();
  return json.take();
}

}  // namespace notbad::api
