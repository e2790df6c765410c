#include "server/api/message.h"

#include <algorithm>
#include <cctype>

namespace notbad::api {
namespace {

bool equal_but_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

}  // namespace

const std::string* Request::find_header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const Header& header) { return equal_but_case(header.name, name); });
  return found == headers.end() ? nullptr : &found->value;
}

}  // namespace notbad::api
