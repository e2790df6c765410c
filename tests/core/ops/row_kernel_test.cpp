#include "core/ops/rows/row_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/random_values.h"

namespace notbad::ops::rows {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> softmax_by(const RowKernel* kernel, std::vector<float> scores) {
  kernel->softmax(scores.data(), std::ssize(scores));
  return scores;
}

std::vector<float> random_scores(std::int64_t count, float size) {
  const Tensor scores = testing::random_tensor(3, {count}, size);
  return {scores.values().begin(), scores.values().end()};
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits(values.size());
  std::ranges::transform(values, bits.begin(), std::bit_cast<std::uint32_t, float>);
  return bits;
}

class RowKernelTest : public ::testing::TestWithParam<const RowKernel*> {};

// Every weight to a few units in its last place, small ones too.
TEST_P(RowKernelTest, IsTheSoftmaxOfDoubles) {
  constexpr double kRelative = 3e-7;
  for (std::int64_t count = 1; count <= 140; ++count) {
    const std::vector<float> scores = random_scores(count, 40.0F);
    const float largest = *std::ranges::max_element(scores);
    std::vector<double> powers;  // of differences in float, as it has them
    for (const float score : scores) powers.push_back(std::exp(double{score - largest}));
    const double sum = std::accumulate(powers.begin(), powers.end(), 0.0);

    const std::vector<float> weights = softmax_by(GetParam(), scores);

    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double expected = powers[i] / sum;
      EXPECT_NEAR(weights[i], expected, kRelative * expected) << count << " scores, " << i;
    }
  }
}

TEST_P(RowKernelTest, GivesTheSameWeightsAsThePlainOneToTheLastBit) {
  for (std::int64_t count = 1; count <= 140; ++count) {
    const std::vector<float> scores = random_scores(count, 100.0F);
    EXPECT_EQ(bits_of(softmax_by(GetParam(), scores)),
              bits_of(softmax_by(&baseline_rows(), scores)))
        << count;
  }
}

TEST_P(RowKernelTest, GivesNothingToWhatIsForbiddenOrFarBelow) {
  EXPECT_EQ(softmax_by(GetParam(), {-kInfinity, 5.0F, -kInfinity, -83.0F}),
            (std::vector<float>{0.0F, 1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(softmax_by(GetParam(), std::vector<float>(17, -kInfinity)),
            std::vector<float>(17, 0.0F));
}

TEST_P(RowKernelTest, HoldsScoresOfAnySize) {
  constexpr float kHuge = std::numeric_limits<float>::max();
  EXPECT_EQ(softmax_by(GetParam(), {-kHuge, kHuge, kHuge}), (std::vector<float>{0.0F, 0.5F, 0.5F}));
}

TEST_P(RowKernelTest, NormsAsThePlainOneToTheLastBit) {
  for (std::int64_t count = 1; count <= 70; ++count) {
    const std::vector<float> scale = random_scores(count, 2.0F);
    const std::vector<float> shift = random_scores(count, 1.0F);
    const auto normed_by = [&](const RowKernel& kernel) {
      std::vector<float> x = random_scores(count, 40.0F);
      kernel.layer_norm({.x = x.data(),
                         .scale = scale.data(),
                         .shift = shift.data(),
                         .epsilon = 1e-12F,
                         .count = count});
      return bits_of(x);
    };

    EXPECT_EQ(normed_by(*GetParam()), normed_by(baseline_rows())) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RowKernelTest, ::testing::ValuesIn(row_kernels()),
                         [](const auto& tested) {
                           return "Kernel" + std::to_string(tested.index);
                         });

}  // namespace
}  // namespace notbad::ops::rows
