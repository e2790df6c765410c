#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace notbad::service {

// The names of the classes, in the order of the logits, from labels.json: {"labels": ["...", ...]}.
// Fails with kBadModelFile where the file is not exactly that or a label is empty or doubled.
Result<std::vector<std::string>> read_labels(const std::filesystem::path& labels_json);

}  // namespace notbad::service
