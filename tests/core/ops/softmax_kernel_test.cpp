#include "core/ops/softmax/softmax_kernel.h"

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

namespace notbad::ops::softmax {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> softmax_by(RowFunction function, std::vector<float> scores) {
  function(scores.data(), std::ssize(scores));
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

class SoftmaxKernelTest : public ::testing::TestWithParam<RowFunction> {};

// Every weight to a few units in its last place, small ones too.
TEST_P(SoftmaxKernelTest, IsTheSoftmaxOfDoubles) {
  constexpr double kRelative = 3e-7;
  for (std::int64_t count = 1; count <= 70; ++count) {
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

TEST_P(SoftmaxKernelTest, GivesTheSameBitsAsThePlainOne) {
  for (std::int64_t count = 1; count <= 70; ++count) {
    const std::vector<float> scores = random_scores(count, 100.0F);
    EXPECT_EQ(bits_of(softmax_by(GetParam(), scores)), bits_of(softmax_by(baseline_row, scores)))
        << count;
  }
}

TEST_P(SoftmaxKernelTest, GivesNothingToWhatIsForbiddenOrFarBelow) {
  EXPECT_EQ(softmax_by(GetParam(), {-kInfinity, 5.0F, -kInfinity, -83.0F}),
            (std::vector<float>{0.0F, 1.0F, 0.0F, 0.0F}));
  EXPECT_EQ(softmax_by(GetParam(), std::vector<float>(17, -kInfinity)),
            std::vector<float>(17, 0.0F));
}

TEST_P(SoftmaxKernelTest, HoldsScoresOfAnySize) {
  constexpr float kHuge = std::numeric_limits<float>::max();
  EXPECT_EQ(softmax_by(GetParam(), {-kHuge, kHuge, kHuge}), (std::vector<float>{0.0F, 0.5F, 0.5F}));
}

INSTANTIATE_TEST_SUITE_P(Kernels, SoftmaxKernelTest, ::testing::ValuesIn(row_functions()),
                         [](const auto& tested) {
                           return "Kernel" + std::to_string(tested.index);
                         });

}  // namespace
}  // namespace notbad::ops::softmax
