#include "server/service/labels.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace notbad::service {
namespace {

tl::unexpected<Error> bad_labels(const std::filesystem::path& file, const char* what) {
  return fail(ErrorCode::kBadModelFile,
              file.string() + ": " + what + " - export the model again or restore the file");
}

bool is_label(const nlohmann::json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty();
}

}  // namespace

Result<std::vector<std::string>> read_labels(const std::filesystem::path& labels_json) {
  std::ifstream file(labels_json);
  if (!file) return bad_labels(labels_json, "cannot be read");
  // No exceptions: an unreadable document comes back as a discarded value.
  const nlohmann::json document = nlohmann::json::parse(file, nullptr, false);
  if (!document.is_object() || document.size() != 1 || !document.contains("labels"))
    return bad_labels(labels_json, "expected an object with the one member \"labels\"");

  const nlohmann::json& labels = document["labels"];
  if (!labels.is_array() || labels.empty() || !std::ranges::all_of(labels, is_label))
    return bad_labels(labels_json, "expected \"labels\" to be a list of non-empty strings");
  auto names = labels.get<std::vector<std::string>>();
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return bad_labels(labels_json, "a label stands twice");
  return names;
}

}  // namespace notbad::service
