#pragma once

#include <string_view>

namespace notbad::api {

// Whether a Content-Type says JSON in UTF-8: application/json in any case, with any parameters but
// a charset other than UTF-8.
bool is_json_utf8(std::string_view content_type);

// Whether an Accept header lets `type`, such as application/json, be the answer: by the most exact
// of its ranges that covers the type, unless that one has the weight 0. The same for a coding in
// Accept-Encoding, but that its * counts for none.
bool accepts(std::string_view accept, std::string_view type);

}  // namespace notbad::api
