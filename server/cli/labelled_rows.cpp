#include "server/cli/labelled_rows.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace notbad::cli {
namespace {

std::vector<std::string_view> split_tabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t tab = line.find('\t', begin);
    fields.push_back(line.substr(begin, tab - begin));
    if (tab == std::string_view::npos) return fields;
    begin = tab + 1;
  }
}

std::optional<std::size_t> column(const std::vector<std::string_view>& header,
                                  std::string_view name) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

std::optional<std::int64_t> label_index(std::string_view field,
                                        const std::vector<std::string>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (field == labels[i] || field == std::to_string(i)) return static_cast<std::int64_t>(i);
  }
  return std::nullopt;
}

std::string known_labels(const std::vector<std::string>& labels) {
  std::string text;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " or " + labels[i];
  }
  return text;
}

bool read_line(std::istream& input, std::string& line) {
  if (!std::getline(input, line)) return false;
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

}  // namespace

Result<std::vector<LabelledRow>> read_labelled_rows(std::istream& input,
                                                    const std::vector<std::string>& labels) {
  std::string line;
  read_line(input, line);
  const std::vector<std::string_view> header = split_tabs(line);
  const auto sentence = column(header, "sentence");
  const auto label = column(header, "label");
  if (!sentence || !label) {
    return fail(ErrorCode::kInvalidArgument,
                "line 1: expected a header with the tab-separated columns sentence and label");
  }

  std::vector<LabelledRow> rows;
  for (std::int64_t number = 2; read_line(input, line); ++number) {
    const std::vector<std::string_view> fields = split_tabs(line);
    const std::string where = "line " + std::to_string(number) + ": ";
    if (fields.size() != header.size()) {
      return fail(ErrorCode::kInvalidArgument, where + "expected " + std::to_string(header.size()) +
                                                   " tab-separated columns, found " +
                                                   std::to_string(fields.size()));
    }
    const auto index = label_index(fields[*label], labels);
    if (!index) {
      return fail(ErrorCode::kInvalidArgument,
                  where + "expected the label " + known_labels(labels));
    }
    rows.push_back({std::string(fields[*sentence]), *index});
  }
  return rows;
}

}  // namespace notbad::cli
