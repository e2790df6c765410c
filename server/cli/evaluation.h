#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace notbad::cli {

// One labelled row with what the model said of it.
struct EvaluatedRow {
  std::int64_t expected = 0;         // class index
  std::vector<float> probabilities;  // [C]
  bool is_negated = false;           // holds a word of the service's negator list
};

// Rows of one confidence range; empty bins are left out.
struct CalibrationBin {
  double lower = 0;  // confidence in (lower, upper]; the first bin also holds 0
  double upper = 0;
  std::int64_t rows = 0;
  double mean_confidence = 0;
  double accuracy = 0;
};

struct Share {
  std::int64_t right = 0;
  std::int64_t rows = 0;
  double accuracy() const {
    return rows == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(rows);
  }
};

struct Evaluation {
  Share all;
  Share negated;
  std::vector<std::vector<std::int64_t>> confusion;  // [C expected][C predicted]
  std::vector<CalibrationBin> bins;
  double expected_calibration_error = 0;  // in [0, 1]
};

// Accuracy, confusion and calibration of `rows` over `num_labels` (C) classes. The calibration
// error is the mean gap between confidence and accuracy over kCalibrationBins bins of equal width,
// weighted by rows (Guo et al. 2017, "On Calibration of Modern Neural Networks", eq. 3); confidence
// is the largest probability.
constexpr std::int64_t kCalibrationBins = 15;
Evaluation evaluate(const std::vector<EvaluatedRow>& rows, std::int64_t num_labels);

// The figures as a person reads them in a terminal, a line each.
std::string format_evaluation(const Evaluation& evaluation, const std::vector<std::string>& labels);

}  // namespace notbad::cli
