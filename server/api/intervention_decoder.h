#pragma once

#include <vector>

#include "core/model/interventions.h"
#include "server/api/classify_decoder.h"
#include "server/api/json_object.h"

namespace notbad::api {

// The member `interventions` of a request: a list of objects with a `kind`. What is wrong goes to
// `complaints`, and the result is then of no use.
std::vector<model::Intervention> decode_interventions(const JsonValue& value,
                                                      const ClassifyBounds& bounds,
                                                      Complaints& complaints);

}  // namespace notbad::api
