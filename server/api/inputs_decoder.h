#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/api/json_object.h"

namespace notbad::api {

// The member `inputs`: a string, or a list of 1 to `max_inputs` strings. Complains where it is
// anything else.
std::vector<std::string> decode_inputs(const ObjectReader& reader, std::int64_t max_inputs);

// Whether `inputs` is a list, so that answers and pointers are by index.
bool is_input_list(const ObjectReader& reader);

}  // namespace notbad::api
