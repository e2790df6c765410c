#include "server/api/message.h"

#include <algorithm>
#include <cctype>

namespace notbad::api {

bool equal_but_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

const std::string* Request::find_header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const Header& header) { return equal_but_case(header.name, name); });
  return found == headers.end() ? nullptr : &found->value;
}

std::string Request::list_header(std::string_view name) const {
  std::string list;
  for (const Header& header : headers) {
    if (!equal_but_case(header.name, name)) continue;
    list += (list.empty() ? "" : ",") + header.value;
  }
  return list;
}

}  // namespace notbad::api
