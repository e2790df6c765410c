#include "server/api/media_type.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace notbad::api {
namespace {

std::string lower_trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  const auto end = text.find_last_not_of(kBlank);
  std::string lower(text.substr(begin, end - begin + 1));
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// Up to the next semicolon, which goes too.
std::string take_part(std::string_view& rest) {
  const auto end = std::min(rest.find(';'), rest.size());
  std::string part = lower_trimmed(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

}  // namespace

bool is_json_utf8(std::string_view content_type) {
  std::string_view rest = content_type;
  if (take_part(rest) != "application/json") return false;
  constexpr std::string_view kCharset = "charset=";
  while (!rest.empty()) {
    const std::string parameter = take_part(rest);
    if (!parameter.starts_with(kCharset)) continue;
    const std::string charset = parameter.substr(kCharset.size());
    if (charset != "utf-8" && charset != "\"utf-8\"") return false;
  }
  return true;
}

}  // namespace notbad::api
