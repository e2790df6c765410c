#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace notbad::config {

// Where a model is looked for, first match first: `model` beside the program, the share folder
// of where it is installed, the source tree that it was built from.
std::vector<std::filesystem::path> model_candidates(const std::filesystem::path& program);

// The first of `candidates` that holds a config.json. Fails with kBadModelFile naming all of them.
Result<std::filesystem::path> first_model(const std::vector<std::filesystem::path>& candidates);

// `given` where it is not empty, whatever it holds; else the first model of the candidates of the
// running program, from any working directory.
Result<std::filesystem::path> find_model_directory(const std::filesystem::path& given);

}  // namespace notbad::config
