#pragma once

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

namespace notbad::metrics {

// What a text in the format of Prometheus says: each series, with its labels as they are written,
// and its value.
class MetricValues {
 public:
  explicit MetricValues(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      const auto blank = line.rfind(' ');
      values_[line.substr(0, blank)] = std::strtod(line.c_str() + blank, nullptr);
    }
  }

  // -1 where there is no such series, so that a comparison shows it.
  double at(const std::string& series) const {
    const auto found = values_.find(series);
    return found == values_.end() ? -1.0 : found->second;
  }

  // Of all series of that name whose labels hold `part`.
  double sum(const std::string& name, const std::string& part = "") const {
    double sum = 0.0;
    for (const auto& [series, value] : values_)
      if (series.starts_with(name + '{') && series.find(part) != std::string::npos) sum += value;
    return sum;
  }

 private:
  std::map<std::string, double> values_;
};

}  // namespace notbad::metrics
