#include "server/service/kendall.h"

#include <gtest/gtest.h>

#include <vector>

namespace notbad::service {
namespace {

TEST(KendallTest, IsOneInTheSameOrderAndMinusOneInReverse) {
  const std::vector<float> x = {0.1F, 0.4F, 0.2F, 0.9F};
  const std::vector<float> same = {1.0F, 30.0F, 2.0F, 40.0F};
  const std::vector<float> reverse = {4.0F, -1.0F, 3.0F, -2.0F};

  EXPECT_DOUBLE_EQ(*kendall_tau(x, same).tau, 1.0);
  EXPECT_DOUBLE_EQ(*kendall_tau(x, reverse).tau, -1.0);
}

// Of the 10 pairs 7 agree and 3 do not.
TEST(KendallTest, CountsPairs) {
  const std::vector<float> x = {1, 2, 3, 4, 5};
  const std::vector<float> y = {2, 1, 5, 3, 4};

  EXPECT_DOUBLE_EQ(*kendall_tau(x, y).tau, 0.4);
}

// Kendall's own table: with 4 things 1 order in 24 has τ = 1 and another τ = -1; with 5 things
// |score| >= 4 is reached by 2 x (1 + 4 + 9 + 15) orders of 120.
TEST(KendallTest, GivesTheExactShareOfOrdersAtLeastAsFarFromZero) {
  const std::vector<float> four = {1, 2, 3, 4};
  const std::vector<float> five = {1, 2, 3, 4, 5};
  const std::vector<float> other = {2, 1, 5, 3, 4};

  EXPECT_NEAR(*kendall_tau(four, four).p, 2.0 / 24.0, 1e-12);
  EXPECT_NEAR(*kendall_tau(five, other).p, 58.0 / 120.0, 1e-12);
}

TEST(KendallTest, IsSureOfNothingWhereTheScoreIsZero) {
  const std::vector<float> x = {1, 2, 3, 4};
  const std::vector<float> y = {2, 4, 1, 3};  // 3 pairs agree, 3 do not

  EXPECT_DOUBLE_EQ(*kendall_tau(x, y).tau, 0.0);
  EXPECT_DOUBLE_EQ(*kendall_tau(x, y).p, 1.0);
}

// y orders 5 of the 6 pairs, x all 6; 4 agree and 1 does not: 3 / √30.
TEST(KendallTest, CorrectsForTies) {
  const std::vector<float> x = {1, 2, 3, 4};
  const std::vector<float> y = {1, 3, 2, 3};

  const RankCorrelation correlation = kendall_tau(x, y);

  EXPECT_NEAR(*correlation.tau, 3.0 / 5.477225575, 1e-9);
  EXPECT_FALSE(correlation.p);
}

TEST(KendallTest, IsUndefinedWhereOneSideIsConstant) {
  const std::vector<float> x = {1, 2, 3, 4};
  const std::vector<float> constant(4, 0.5F);

  EXPECT_FALSE(kendall_tau(x, constant).tau);
  EXPECT_FALSE(kendall_tau(constant, x).tau);
}

TEST(KendallTest, StaysAShareForLongSentences) {
  std::vector<float> x(200);
  std::vector<float> y(200);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    y[i] = static_cast<float>((i * 83) % 200);
  }

  const RankCorrelation correlation = kendall_tau(x, y);

  EXPECT_GE(*correlation.p, 0.0);
  EXPECT_LE(*correlation.p, 1.0);
  EXPECT_LT(*kendall_tau(x, x).p, 1e-100);
}

}  // namespace
}  // namespace notbad::service
