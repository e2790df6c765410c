#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace notbad::service {

// Checks the files of a model folder against its MANIFEST.sha256 (the format of sha256sum) and
// returns the SHA-256 of the manifest, 64 hex digits that stand for the whole set. Every name in
// `required` must be listed. Fails with kBadModelFile naming the file: missing, no regular file,
// not listed, or changed since the export.
Result<std::string> verify_manifest(const std::filesystem::path& directory,
                                    const std::vector<std::string>& required);

}  // namespace notbad::service
