#pragma once

#include "server/api/json_writer.h"
#include "server/service/model_bundle.h"

namespace notbad::api {

// {"id", "version", "sha256"}: which model an answer comes from.
void write_model_identity(JsonWriter& json, const service::ModelBundle& model);

}  // namespace notbad::api
