#pragma once

#include <string_view>

namespace notbad::api {

// Whether a Host header names one of `allowed`, which has commas between the names; in any case,
// and whatever the ports are. Every host is allowed where the list is empty. A foreign name that an
// attacker lets point to this server is not on the list.
bool is_allowed_host(std::string_view host, std::string_view allowed);

}  // namespace notbad::api
