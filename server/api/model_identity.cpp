#include "server/api/model_identity.h"

namespace notbad::api {

void write_model_identity(JsonWriter& json, const service::ModelBundle& model) {
  json.begin_object();
  json.key("id").string(model.config.model_id);
  json.key("version").string(model.config.model_version);
  json.key("sha256").string(model.sha256);
  json.end_object();
}

}  // namespace notbad::api
