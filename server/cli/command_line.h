#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ops/dtype.h"

namespace notbad::cli {

struct ModelArguments {
  std::string folder;        // empty: found by find_model_directory()
  std::int64_t workers = 0;  // 0: as many as cores may be used
  ops::Dtype dtype = ops::Dtype::kF32;
};

// What each command was told, checked and complete.
struct ClassifyArguments {
  ModelArguments model;
  std::string file = "-";  // -: standard input
};
struct EvaluateArguments {
  ModelArguments model;
  std::string file;
};
struct ShowArguments {
  ModelArguments model;
  std::string text;
  std::int64_t heads = 2;
};
struct PrintText {
  std::string text;  // the manual page or the version
};

using Command = std::variant<ClassifyArguments, EvaluateArguments, ShowArguments, PrintText>;

// Fails with kInvalidArgument naming the argument and where to read on.
Result<Command> parse_command_line(const std::vector<std::string>& arguments);

}  // namespace notbad::cli
