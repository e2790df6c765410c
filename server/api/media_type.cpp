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

// Up to the next `separator`, which goes too.
std::string take_part(std::string_view& rest, char separator = ';') {
  const auto end = std::min(rest.find(separator), rest.size());
  std::string part = lower_trimmed(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// How exactly a range such as text/* covers the type: 0 not at all, 3 by its whole name.
int exactness(std::string_view range, std::string_view type) {
  if (range == type) return 3;
  if (range == std::string(type.substr(0, type.find('/'))) + "/*") return 2;
  return range == "*/*" ? 1 : 0;
}

// q=0 in any of its spellings, the only weights that begin with a 0 and hold no other digit.
bool has_weight_zero(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string parameter = take_part(parameters);
    if (parameter.starts_with("q=") && parameter.find_first_not_of("0.", 2) == std::string::npos)
      return true;
  }
  return false;
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

bool accepts(std::string_view accept, std::string_view type) {
  int best = 0;
  bool is_accepted = false;
  while (!accept.empty()) {
    const std::string entry = take_part(accept, ',');
    std::string_view parameters = entry;
    const int exact = exactness(take_part(parameters), type);
    if (exact <= best) continue;
    best = exact;
    is_accepted = !has_weight_zero(parameters);
  }
  return is_accepted;
}

}  // namespace notbad::api
