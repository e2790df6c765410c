#pragma once

#include <string_view>

namespace notbad::api {

// Whether a Content-Type says JSON in UTF-8: application/json in any case, with any parameters but
// a charset other than UTF-8.
bool is_json_utf8(std::string_view content_type);

}  // namespace notbad::api
