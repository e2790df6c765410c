#include "core/tensor/weight_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace notbad {
namespace {

using ::testing::ElementsAre;

TEST(WeightMatrixTest, TakesTwoBytesWhereThatLosesNothing) {
  const WeightMatrix weights = Tensor({1, 2}, {1.5F, -2.0F});

  ASSERT_TRUE(weights.is_bf16());
  EXPECT_THAT(weights.bf16(), ElementsAre(0x3FC0, 0xC000));
  EXPECT_THAT(weights.widened().values(), ElementsAre(1.5F, -2.0F));
}

TEST(WeightMatrixTest, KeepsFloatsAsSoonAsOneNeedsThem) {
  const WeightMatrix weights = Tensor({1, 2}, {1.5F, 0.1F});

  ASSERT_FALSE(weights.is_bf16());
  EXPECT_THAT(weights.floats(), ElementsAre(1.5F, 0.1F));
  EXPECT_THAT(weights.widened().values(), ElementsAre(1.5F, 0.1F));
}

TEST(WeightMatrixTest, HasTheShapeOfItsValues) {
  const WeightMatrix weights({2, 3}, {0, 0x3F80, 0, 0, 0, 0x3F80});

  EXPECT_EQ(weights.shape(), (Shape{2, 3}));
  EXPECT_EQ(weights.dim(-1), 3);
  EXPECT_THAT(weights.widened().values(), ElementsAre(0, 1, 0, 0, 0, 1));
}

TEST(WeightMatrixTest, BorrowsOrOwnsItsValues) {
  std::vector<std::uint16_t> values = {0x3F80, 0};
  const WeightMatrix borrowing = WeightMatrix::borrowing({1, 2}, values);
  const WeightMatrix owning = borrowing.owning();

  values[1] = 0x4000;

  EXPECT_THAT(borrowing.widened().values(), ElementsAre(1, 2));
  EXPECT_THAT(owning.widened().values(), ElementsAre(1, 0));
  EXPECT_THROW(WeightMatrix::borrowing({1, 3}, values), std::logic_error);
}

TEST(WeightMatrixTest, RefusesValuesThatDoNotFitTheShape) {
  EXPECT_THROW(WeightMatrix({2, 3}, {0x3F80}), std::logic_error);
}

}  // namespace
}  // namespace notbad
