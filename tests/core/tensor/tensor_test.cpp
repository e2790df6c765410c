#include "core/tensor/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace notbad {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(TensorTest, StartsWithZeros) {
  const Tensor tensor({2, 3});

  EXPECT_EQ(tensor.values().size(), 6U);
  EXPECT_THAT(tensor.values(), Each(0.0F));
}

TEST(TensorTest, RefusesValuesThatDoNotFitTheShape) {
  EXPECT_THROW(Tensor({2, 3}, {1.0F, 2.0F}), std::logic_error);
}

TEST(TensorTest, IsAMatrixOfItsInnermostSize) {
  const Tensor tensor({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});

  EXPECT_EQ(tensor.matrix().shape(), (Shape{4, 3}));
  EXPECT_THAT(tensor.matrix().row(2), ElementsAre(6, 7, 8));
}

TEST(TensorTest, IsEmptyWithoutAShape) {
  const Tensor nothing;

  EXPECT_TRUE(nothing.is_empty());
  EXPECT_EQ(nothing.matrix().rows(), 0);
}

TEST(TensorTest, CopiesDeeply) {
  Tensor original({2}, {1.0F, 2.0F});
  const Tensor copy = original;

  original.values()[0] = 9.0F;

  EXPECT_THAT(copy.values(), ElementsAre(1.0F, 2.0F));
}

}  // namespace
}  // namespace notbad
