#include "server/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <utf8.h>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <iterator>

namespace notbad::cli {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kEllipsis = "…";

// C0, DEL and C1, and what changes the direction of the text around it (Unicode TR 9).
bool is_unprintable(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::int64_t width_of(char32_t c) {
  static const bool is_utf8 = std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
  const int width = is_utf8 ? ::wcwidth(static_cast<wchar_t>(c)) : 1;
  return std::max(width, 0);
}

std::int64_t environment_columns() {
  const char* columns = std::getenv("COLUMNS");
  if (columns == nullptr) return 0;
  std::int64_t value = 0;
  const std::string_view text(columns);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string cut(std::string_view text, std::int64_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string kept;
  std::int64_t used = 1;  // the ellipsis
  for (auto it = text.begin(); it != text.end();) {
    const auto begin = it;
    used += width_of(utf8::unchecked::next(it));
    if (used > width) break;
    kept.append(begin, it);
  }
  return kept.append(kEllipsis);
}

std::string blanks(std::string_view text, std::int64_t width) {
  return std::string(
      static_cast<std::size_t>(std::max<std::int64_t>(0, width - display_width(text))), ' ');
}

}  // namespace

Terminal Terminal::detect() {
  constexpr std::int64_t kNarrowest = 20;
  constexpr std::int64_t kWidest = 400;
  Terminal terminal;
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  winsize size{};
  if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  } else if (const std::int64_t columns = environment_columns(); columns > 0) {
    terminal.width = columns;
  }
  terminal.width = std::clamp(terminal.width, kNarrowest, kWidest);
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool is_dumb = term == nullptr || std::string_view(term) == "dumb";
  terminal.has_colour = is_terminal && !is_dumb && (no_colour == nullptr || *no_colour == '\0');
  return terminal;
}

std::string printable(std::string_view text) {
  std::string valid;
  utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid));
  std::string result;
  for (auto it = valid.begin(); it != valid.end();) {
    const char32_t c = utf8::unchecked::next(it);
    utf8::unchecked::append(is_unprintable(c) ? kReplacement : c, std::back_inserter(result));
  }
  return result;
}

std::int64_t display_width(std::string_view text) {
  std::int64_t width = 0;
  for (auto it = text.begin(); it != text.end();) width += width_of(utf8::unchecked::next(it));
  return width;
}

std::string fit_left(std::string_view text, std::int64_t width) {
  const std::string kept = cut(text, width);
  return kept + blanks(kept, width);
}

std::string fit_right(std::string_view text, std::int64_t width) {
  const std::string kept = cut(text, width);
  return blanks(kept, width) + kept;
}

}  // namespace notbad::cli
