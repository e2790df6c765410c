#include "server/api/host.h"

#include <algorithm>

#include "server/api/message.h"

namespace notbad::api {
namespace {

// An IPv6 address has colons of its own and stands in brackets before its port.
std::string_view without_port(std::string_view host) {
  const auto colon = host.rfind(':');
  const auto bracket = host.rfind(']');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
  return has_port ? host.substr(0, colon) : host;
}

}  // namespace

bool is_allowed_host(std::string_view host, std::string_view allowed) {
  if (allowed.empty()) return true;
  const std::string_view name = without_port(host);
  while (!allowed.empty()) {
    const auto comma = std::min(allowed.find(','), allowed.size());
    if (equal_but_case(without_port(allowed.substr(0, comma)), name)) return true;
    allowed.remove_prefix(std::min(comma + 1, allowed.size()));
  }
  return false;
}

}  // namespace notbad::api
