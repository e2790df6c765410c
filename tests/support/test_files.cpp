#include "tests/support/test_files.h"

namespace notbad::test_files {

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(NOTBAD_SOURCE_DIR) / "tests/golden" / name;
}

std::filesystem::path shipped_model() {
  return std::filesystem::path(NOTBAD_SOURCE_DIR) / "weights/model";
}

}  // namespace notbad::test_files
