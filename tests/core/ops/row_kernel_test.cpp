#include "core/ops/rows/row_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
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

// Without instructions that multiply and add in one it is left to oneDNN.
std::vector<const RowKernel*> gelu_kernels() {
  std::vector<const RowKernel*> kernels = row_kernels();
  std::erase_if(kernels, [](const RowKernel* kernel) { return kernel->gelu == nullptr; });
  return kernels;
}

class GeluKernelTest : public ::testing::TestWithParam<const RowKernel*> {
 protected:
  static std::vector<float> gelu(std::vector<float> x) {
    GetParam()->gelu(x.data(), std::ssize(x));
    return x;
  }
};

TEST_P(GeluKernelTest, IsTheGeluOfDoubles) {
  constexpr double kRounding = 6e-8;  // of the result itself
  std::vector<float> x;
  for (int step = -12000; step <= 12000; ++step) x.push_back(static_cast<float>(step) / 1000.0F);

  const std::vector<float> y = gelu(x);

  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = x[i] * 0.5 * std::erfc(-x[i] / std::numbers::sqrt2);
    EXPECT_NEAR(y[i], expected, 1e-7 + kRounding * std::abs(expected)) << x[i];
  }
}

TEST_P(GeluKernelTest, LeavesLargeValuesAndZeroAsTheyAre) {
  constexpr float kHuge = std::numeric_limits<float>::max() / 4;
  EXPECT_EQ(gelu({0.0F, 100.0F, kHuge, kInfinity, -100.0F, -kHuge}),
            (std::vector<float>{0.0F, 100.0F, kHuge, kInfinity, 0.0F, 0.0F}));
}

// The service looks for numbers that are none.
TEST_P(GeluKernelTest, HidesNoNan) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : gelu({kNan, -kNan})) EXPECT_TRUE(std::isnan(value));
}

TEST_P(GeluKernelTest, GivesAValueTheSameResultInEveryPlace) {
  const float alone = gelu({0.7F}).front();
  for (std::int64_t count = 1; count <= 70; ++count) {
    const auto places = static_cast<std::size_t>(count);
    EXPECT_EQ(gelu(std::vector<float>(places, 0.7F)), std::vector<float>(places, alone)) << count;
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GeluKernelTest);
INSTANTIATE_TEST_SUITE_P(Kernels, GeluKernelTest, ::testing::ValuesIn(gelu_kernels()),
                         [](const auto& tested) {
                           return "Kernel" + std::to_string(tested.index);
                         });

INSTANTIATE_TEST_SUITE_P(Kernels, RowKernelTest, ::testing::ValuesIn(row_kernels()),
                         [](const auto& tested) {
                           return "Kernel" + std::to_string(tested.index);
                         });

}  // namespace
}  // namespace notbad::ops::rows
