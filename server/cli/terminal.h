#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace notbad::cli {

// What the output can show: columns of text, and whether escape sequences for colour are welcome.
struct Terminal {
  std::int64_t width = 80;
  bool has_colour = false;

  // Of standard output. Colour where it is a terminal other than "dumb" and NO_COLOR is not set
  // (no-color.org); the width is that of the terminal, else of COLUMNS, else 80.
  static Terminal detect();
};

// `text` safe to print: control characters, direction marks and broken UTF-8 become U+FFFD, so that
// a sentence can neither move the cursor nor reorder the line.
std::string printable(std::string_view text);

// Columns that `text` takes in a terminal, two for wide characters; `text` is printable().
std::int64_t display_width(std::string_view text);

// `text` cut to `width` columns, the last one an ellipsis where something was cut, and padded.
std::string fit_left(std::string_view text, std::int64_t width);
std::string fit_right(std::string_view text, std::int64_t width);

}  // namespace notbad::cli
