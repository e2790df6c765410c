#include "server/config/model_directory.h"

#include <string>

namespace notbad::config {

std::vector<std::filesystem::path> model_candidates(const std::filesystem::path& program) {
  const std::filesystem::path folder = program.parent_path();
  return {folder / "model", (folder / "../share/notbad/model").lexically_normal(),
          NOTBAD_SOURCE_MODEL_DIR};
}

Result<std::filesystem::path> first_model(const std::vector<std::filesystem::path>& candidates) {
  std::string searched;
  for (const auto& candidate : candidates) {
    std::error_code ignored;
    if (std::filesystem::exists(candidate / "config.json", ignored)) return candidate;
    searched += (searched.empty() ? "" : ", ") + candidate.string();
  }
  return fail(ErrorCode::kBadModelFile,
              "no model found in " + searched + " - name its folder with --model");
}

Result<std::filesystem::path> find_model_directory(const std::filesystem::path& given) {
  if (!given.empty()) return given;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    return fail(ErrorCode::kBadModelFile,
                "the place of the program is unknown - name the model's folder with --model");
  return first_model(model_candidates(program));
}

}  // namespace notbad::config
