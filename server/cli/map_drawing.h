#pragma once

#include <string>
#include <vector>

#include "core/tensor/matrix_view.h"
#include "server/cli/terminal.h"

namespace notbad::cli {

// How a token is named along a map, and whether it is brought out.
struct AxisLabel {
  std::string text;  // printable()
  bool is_cue = false;
  bool is_target = false;
};

// One attention map [T, T] as lines of text: rows look at columns, cells in percent. Where the
// columns do not fit `terminal`, their labels become numbers, then the cells shades of one column
// each, then the rightmost columns are left out, which a last line says.
std::string draw_map(ConstMatrixView map, const std::vector<AxisLabel>& labels,
                     const Terminal& terminal);

}  // namespace notbad::cli
