#include "core/ops/masked_softmax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops {
namespace {

using ::testing::ElementsAre;
using testing::is_near;
using testing::random_tensor;

constexpr float kTolerance = 1e-6F;
constexpr std::int64_t kNumHeads = 3;

// Allows about half of the links, and one at least in every row.
Tensor random_mask(std::int64_t num_queries, std::int64_t num_keys) {
  Tensor mask = random_tensor(7, {num_queries, num_keys});
  for (float& value : mask.values()) value = value > 0.0F ? 1.0F : 0.0F;
  for (std::int64_t query = 0; query < num_queries; ++query) {
    mask.matrix().row(query)[static_cast<std::size_t>(query % num_keys)] = 1.0F;
  }
  return mask;
}

class MaskedSoftmaxTest : public ::testing::Test {
 protected:
  Tensor softmax_of(Tensor scores, const Tensor& mask) {
    masked_softmax(scores.matrix(), mask.matrix());
    return scores;
  }

  // With and without a mask, the mask the same for every head.
  void expect_slow_twin(std::int64_t num_queries, std::int64_t num_keys) {
    SCOPED_TRACE((Shape{num_queries, num_keys}).to_string());
    const Tensor scores = random_tensor(1, {kNumHeads * num_queries, num_keys}, 10.0F);
    const Tensor mask = random_mask(num_queries, num_keys);
    Tensor unmasked = scores;

    masked_softmax(unmasked.matrix(), std::nullopt);

    EXPECT_TRUE(is_near(unmasked, testing::reference_masked_softmax(scores.matrix(), std::nullopt),
                        kTolerance));
    EXPECT_TRUE(is_near(softmax_of(scores, mask),
                        testing::reference_masked_softmax(scores.matrix(), mask.matrix()),
                        kTolerance));
  }
};

TEST_F(MaskedSoftmaxTest, IsTheSlowTwinOnOddSizes) {
  for (const std::int64_t num_queries : {1, 3, 17}) {
    for (const std::int64_t num_keys : {1, 3, 17, 100}) expect_slow_twin(num_queries, num_keys);
  }
}

TEST_F(MaskedSoftmaxTest, GivesMaskedKeysExactlyZero) {
  const Tensor weights = softmax_of(Tensor({1, 4}, {900.0F, 1.0F, -900.0F, 2.0F}),
                                    Tensor({1, 4}, {0.0F, 1.0F, 0.0F, 1.0F}));

  EXPECT_EQ(weights.values()[0], 0.0F);
  EXPECT_EQ(weights.values()[2], 0.0F);
  EXPECT_NEAR(weights.values()[1] + weights.values()[3], 1.0F, kTolerance);
}

TEST_F(MaskedSoftmaxTest, GivesAFullyMaskedRowZerosAndNoNan) {
  const Tensor weights = softmax_of(Tensor({2, 2}, {1.0F, 2.0F, 3.0F, 4.0F}),
                                    Tensor({2, 2}, {0.0F, 0.0F, 1.0F, 1.0F}));

  EXPECT_THAT(weights.matrix().row(0), ElementsAre(0.0F, 0.0F));
  EXPECT_NEAR(weights.matrix().row(1)[1], 0.7310586F, kTolerance);
}

TEST_F(MaskedSoftmaxTest, GivesTheOnlyAllowedKeyEverything) {
  const Tensor weights =
      softmax_of(Tensor({1, 3}, {500.0F, -500.0F, 0.0F}), Tensor({1, 3}, {0.0F, 1.0F, 0.0F}));

  EXPECT_THAT(weights.values(), ElementsAre(0.0F, 1.0F, 0.0F));
}

TEST_F(MaskedSoftmaxTest, AllowsWhateverIsNotZero) {
  const Tensor weights =
      softmax_of(Tensor({1, 3}, {1.0F, 1.0F, 1.0F}), Tensor({1, 3}, {-2.0F, 0.5F, 0.0F}));

  EXPECT_TRUE(is_near(weights.values(), std::vector<float>{0.5F, 0.5F, 0.0F}, kTolerance));
}

// Without subtracting the maximum the first row overflows; subtracting the largest magnitude
// instead makes the second one 0/0.
TEST_F(MaskedSoftmaxTest, StandsLargeScoresOfEitherSign) {
  Tensor scores({2, 3}, {3e4F, 2.9e4F, -3e4F, -3e4F, -3e4F, -3.1e4F});

  masked_softmax(scores.matrix(), std::nullopt);

  EXPECT_TRUE(is_near(scores.values(), std::vector<float>{1, 0, 0, 0.5F, 0.5F, 0}, kTolerance));
}

TEST_F(MaskedSoftmaxTest, RowsSumToOne) {
  Tensor scores = random_tensor(1, {34, 17}, 20.0F);

  masked_softmax(scores.matrix(), std::nullopt);

  for (std::int64_t row = 0; row < 34; ++row) {
    const auto weights = scores.matrix().row(row);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0F), 1.0F, kTolerance) << row;
  }
}

TEST_F(MaskedSoftmaxTest, RefusesAMaskThatDoesNotFit) {
  Tensor scores({4, 3});

  EXPECT_THROW(softmax_of(scores, Tensor({4, 2})), std::logic_error);
  EXPECT_THROW(softmax_of(scores, Tensor({3, 3})), std::logic_error);
}

}  // namespace
}  // namespace notbad::ops
