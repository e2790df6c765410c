#include "server/cli/map_drawing.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace notbad::cli {
namespace {

constexpr std::int64_t kMaxRowLabel = 16;
constexpr std::int64_t kNumberCell = 4;  // a blank and up to "100"

// From nothing to everything, a ninth of the range each; plain text and the 256-colour palette.
constexpr std::array<char, 9> kShades = {' ', '.', ':', '-', '=', '+', '*', '#', '@'};
constexpr std::array<int, 9> kBackgrounds = {255, 254, 153, 117, 75, 33, 26, 20, 18};
constexpr int kFirstDark = 4;  // from this background on the text is white

enum class Layout { kNamed, kNumbered, kShaded };

struct Columns {
  Layout layout = Layout::kNamed;
  std::int64_t row_label = 0;  // width of the labels at the left
  std::int64_t cell = 0;       // width of a column
  std::int64_t shown = 0;      // columns from the left
};

std::int64_t longest(const std::vector<AxisLabel>& labels) {
  std::int64_t width = 0;
  for (const AxisLabel& label : labels) width = std::max(width, display_width(label.text));
  return width + 1;  // the mark of cue or target
}

Columns choose_columns(const std::vector<AxisLabel>& labels, std::int64_t width) {
  const std::int64_t tokens = std::ssize(labels);
  const std::int64_t named_cell = std::max(longest(labels) + 1, kNumberCell);
  const std::int64_t named_label = std::min(longest(labels) + 1, kMaxRowLabel);
  const std::int64_t numbered_label = named_label + 4;  // its number stands before the label
  if (named_label + tokens * named_cell <= width) {
    return {Layout::kNamed, named_label, named_cell, tokens};
  }
  if (numbered_label + tokens * kNumberCell <= width) {
    return {Layout::kNumbered, numbered_label, kNumberCell, tokens};
  }
  const std::int64_t room = std::max<std::int64_t>(1, width - numbered_label - 1);
  return {Layout::kShaded, numbered_label, 1, std::min(tokens, room)};
}

int level_of(float weight) {
  return std::clamp(static_cast<int>(weight * std::ssize(kShades)), 0,
                    static_cast<int>(kShades.size()) - 1);
}

std::string coloured(std::string_view text, float weight) {
  const int level = level_of(weight);
  return fmt::format("\033[48;5;{}m\033[38;5;{}m{}\033[0m",
                     kBackgrounds[static_cast<std::size_t>(level)], level >= kFirstDark ? 231 : 16,
                     text);
}

std::string emphasised(std::string_view text, const AxisLabel& label, const Terminal& terminal) {
  if (!terminal.has_colour || !(label.is_cue || label.is_target)) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", label.is_cue ? "7;1" : "4;1", text);
}

// Without colour a mark tells cue and target from the rest.
std::string marked(const AxisLabel& label) {
  return label.is_cue ? "¬" + label.text : label.is_target ? ">" + label.text : label.text;
}

std::string cell(float weight, const Columns& columns, const Terminal& terminal) {
  std::string text;
  if (columns.layout == Layout::kShaded) {
    text = terminal.has_colour ? ' ' : kShades[static_cast<std::size_t>(level_of(weight))];
  } else {
    text = ' ' + fit_right(fmt::format("{:.0f}", 100 * weight), columns.cell - 1);
  }
  return terminal.has_colour ? coloured(text, weight) : text;
}

std::string header(const std::vector<AxisLabel>& labels, const Columns& columns,
                   const Terminal& terminal) {
  std::string line(static_cast<std::size_t>(columns.row_label), ' ');
  for (std::int64_t i = 0; i < columns.shown && columns.layout != Layout::kShaded; ++i) {
    const AxisLabel& label = labels[static_cast<std::size_t>(i)];
    const std::string name = columns.layout == Layout::kNamed ? marked(label) : std::to_string(i);
    const std::string text = fit_right(name, columns.cell - 1);
    line += ' ' + emphasised(text, label, terminal);
  }
  return line + '\n';
}

}  // namespace

std::string draw_map(ConstMatrixView map, const std::vector<AxisLabel>& labels,
                     const Terminal& terminal) {
  const Columns columns = choose_columns(labels, terminal.width);
  std::string text;
  if (columns.layout != Layout::kShaded) text += header(labels, columns, terminal);
  for (std::int64_t row = 0; row < map.rows(); ++row) {
    const AxisLabel& label = labels[static_cast<std::size_t>(row)];
    const bool is_named = columns.layout == Layout::kNamed;
    const std::string name = is_named ? marked(label) : fmt::format("{:>3} {}", row, marked(label));
    text += emphasised(fit_right(name, columns.row_label - 1), label, terminal) + ' ';
    for (std::int64_t column = 0; column < columns.shown; ++column) {
      text += cell(map.row(row)[static_cast<std::size_t>(column)], columns, terminal);
    }
    text += '\n';
  }
  if (columns.shown < map.cols()) {
    text += fmt::format("(columns {} to {} do not fit: widen the terminal)\n", columns.shown,
                        map.cols() - 1);
  }
  return text;
}

}  // namespace notbad::cli
