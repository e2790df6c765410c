#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace notbad::model {

// Parses JSON of a file that nobody vouches for: besides what every parser refuses, a member given
// twice and nesting deeper than `max_depth` objects or arrays are errors. Fails with kBadModelFile;
// the message starts with `name`, the file to blame,
// and ends with the remedy.
Result<nlohmann::json> parse_strict_json(std::string_view text, const std::string& name,
                                         int max_depth);

// A name taken from such a file, fit for a message: in quotes, escaped, not longer than a line.
std::string quote_name(std::string_view name);

}  // namespace notbad::model
