#include "server/cli/evaluation.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"

namespace notbad::cli {
namespace {

struct BinSums {
  std::int64_t rows = 0;
  std::int64_t right = 0;
  double confidence = 0;
};

std::size_t bin_of(double confidence) {
  const auto bin = static_cast<std::int64_t>(std::ceil(confidence * kCalibrationBins)) - 1;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, kCalibrationBins - 1));
}

void count(Share& share, bool is_right) {
  share.rows += 1;
  share.right += is_right ? 1 : 0;
}

void summarise(const std::array<BinSums, kCalibrationBins>& sums, Evaluation& evaluation) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].rows == 0) continue;
    const auto rows = static_cast<double>(sums[i].rows);
    const CalibrationBin bin{.lower = static_cast<double>(i) / kCalibrationBins,
                             .upper = static_cast<double>(i + 1) / kCalibrationBins,
                             .rows = sums[i].rows,
                             .mean_confidence = sums[i].confidence / rows,
                             .accuracy = static_cast<double>(sums[i].right) / rows};
    evaluation.expected_calibration_error += std::abs(bin.mean_confidence - bin.accuracy) * rows /
                                             static_cast<double>(evaluation.all.rows);
    evaluation.bins.push_back(bin);
  }
}

std::string format_share(const char* name, const Share& share) {
  return fmt::format("{:<22}{:>7.2f} %  ({} of {})\n", name, 100 * share.accuracy(), share.right,
                     share.rows);
}

}  // namespace

Evaluation evaluate(const std::vector<EvaluatedRow>& rows, std::int64_t num_labels) {
  Evaluation evaluation;
  const auto classes = static_cast<std::size_t>(num_labels);
  evaluation.confusion.assign(classes, std::vector<std::int64_t>(classes, 0));
  std::array<BinSums, kCalibrationBins> sums{};
  for (const EvaluatedRow& row : rows) {
    check(row.probabilities.size() == classes && row.expected >= 0 && row.expected < num_labels,
          "evaluate: a row's probabilities or label do not fit the number of labels");
    const auto best = std::max_element(row.probabilities.begin(), row.probabilities.end());
    const auto predicted = static_cast<std::size_t>(best - row.probabilities.begin());
    const auto expected = static_cast<std::size_t>(row.expected);
    const bool is_right = predicted == expected;

    evaluation.confusion[expected][predicted] += 1;
    count(evaluation.all, is_right);
    if (row.is_negated) count(evaluation.negated, is_right);
    BinSums& bin = sums[bin_of(*best)];
    bin.rows += 1;
    bin.right += is_right ? 1 : 0;
    bin.confidence += *best;
  }
  summarise(sums, evaluation);
  return evaluation;
}

std::string format_evaluation(const Evaluation& evaluation,
                              const std::vector<std::string>& labels) {
  std::string text = format_share("accuracy", evaluation.all);
  text += format_share("negated rows", evaluation.negated);
  text += fmt::format("{:<22}{:>7.2f} %  ({} bins of equal width)\n", "calibration error",
                      100 * evaluation.expected_calibration_error, kCalibrationBins);

  text += fmt::format("\n{:<22}", "expected \\ predicted");
  for (const std::string& label : labels) text += fmt::format("{:>12}", label);
  text += '\n';
  for (std::size_t expected = 0; expected < labels.size(); ++expected) {
    text += fmt::format("  {:<20}", labels[expected]);
    for (const std::int64_t rows : evaluation.confusion[expected])
      text += fmt::format("{:>12}", rows);
    text += '\n';
  }

  text += fmt::format("\n{:<22}{:>12}{:>12}{:>12}\n", "confidence", "rows", "mean", "accuracy");
  for (const CalibrationBin& bin : evaluation.bins) {
    text += fmt::format("  {:<20}{:>12}{:>10.1f} %{:>10.1f} %\n",
                        fmt::format("{:.0f}-{:.0f} %", 100 * bin.lower, 100 * bin.upper), bin.rows,
                        100 * bin.mean_confidence, 100 * bin.accuracy);
  }
  return text;
}

}  // namespace notbad::cli
