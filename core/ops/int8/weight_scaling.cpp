#include "core/ops/int8/weight_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace notbad::ops::int8 {
namespace {

constexpr float kOutlierRatio = 4.0F;
constexpr int kLimitRounds = 3;

// Only where one is over this multiple of the limit: a few just above it are not worth their time.
constexpr float kFarRatio = 1.25F;

// Found without the outliers themselves, which would raise it.
float outlier_limit(std::span<const float> weights) {
  float limit = std::numeric_limits<float>::infinity();
  for (int round = 0; round < kLimitRounds; ++round) {
    double squares = 0.0;
    std::int64_t count = 0;
    for (const float weight : weights) {
      if (std::abs(weight) > limit) continue;
      squares += static_cast<double>(weight) * weight;
      ++count;
    }
    limit = kOutlierRatio * static_cast<float>(std::sqrt(squares / static_cast<double>(count)));
  }
  const bool has_far_one = std::ranges::any_of(
      weights, [&](float weight) { return std::abs(weight) > kFarRatio * limit; });
  return has_far_one ? limit : std::numeric_limits<float>::infinity();
}

}  // namespace

WeightScaling::WeightScaling(const Tensor& bias, std::int64_t padded_outputs)
    : scales_(static_cast<std::size_t>(padded_outputs)),
      sums_(static_cast<std::size_t>(padded_outputs)),
      bias_(static_cast<std::size_t>(padded_outputs)) {
  std::ranges::copy(bias.values(), bias_.begin());
}

void WeightScaling::keep_outliers(std::int64_t output, std::span<const float> weights,
                                  float limit) {
  const std::size_t before = outliers_.size();
  for (std::size_t input = 0; input < weights.size(); ++input) {
    const float excess = weights[input] - std::clamp(weights[input], -limit, limit);
    if (excess != 0.0F) outliers_.push_back({static_cast<std::int32_t>(input), excess});
  }
  if (outliers_.size() == before) return;
  outlier_outputs_.push_back(
      {static_cast<std::int32_t>(output), static_cast<std::int32_t>(outliers_.size())});
}

void WeightScaling::add_outliers(ConstMatrixView x, MatrixView y) const {
  constexpr std::int64_t kTogether = 4;  // so that an outlier is read once for as many rows
  if (outliers_.empty()) return;
  std::int64_t row = 0;
  for (; row + kTogether <= y.rows(); row += kTogether) {
    add_outliers_of_rows<kTogether>(x.rows_from(row, kTogether), y.rows_from(row, kTogether));
  }
  for (; row < y.rows(); ++row) add_outliers_of_rows<1>(x.rows_from(row, 1), y.rows_from(row, 1));
}

template <std::int64_t kRows>
void WeightScaling::add_outliers_of_rows(ConstMatrixView x, MatrixView y) const {
  std::array<const float*, kRows> inputs;
  std::array<float*, kRows> outputs;
  for (std::size_t row = 0; row < kRows; ++row) {
    inputs[row] = x.row(static_cast<std::int64_t>(row)).data();
    outputs[row] = y.row(static_cast<std::int64_t>(row)).data();
  }
  const Outlier* outlier = outliers_.data();
  for (const auto [output, end] : outlier_outputs_) {
    std::array<float, kRows> sums = {};
    for (; outlier != outliers_.data() + end; ++outlier) {
      for (std::size_t row = 0; row < kRows; ++row) {
        sums[row] += inputs[row][outlier->input] * outlier->excess;
      }
    }
    for (std::size_t row = 0; row < kRows; ++row) outputs[row][output] += sums[row];
  }
}

QuantizedWeights quantize(const Tensor& weight, const Tensor& bias, std::int64_t padded_outputs) {
  QuantizedWeights quantized{.bytes = std::vector<std::int8_t>(weight.values().size()),
                             .scaling = {bias, padded_outputs}};
  WeightScaling& scaling = quantized.scaling;
  const std::int64_t in_features = weight.dim(1);
  for (std::int64_t output = 0; output < weight.dim(0); ++output) {
    const auto row = std::span(quantized.bytes)
                         .subspan(static_cast<std::size_t>(output * in_features),
                                  static_cast<std::size_t>(in_features));
    const auto weights = weight.matrix().row(output);
    const float limit = outlier_limit(weights);
    const float scale = quantize_weights(weights.data(), in_features, limit, row.data());
    const auto place = static_cast<std::size_t>(output);
    scaling.scales_[place] = scale;
    scaling.sums_[place] = scale * static_cast<float>(std::accumulate(row.begin(), row.end(), 0));
    scaling.keep_outliers(output, weights, limit);
  }
  return quantized;
}

}  // namespace notbad::ops::int8
