#include "core/tensor/shape.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace notbad {
namespace {

TEST(ShapeTest, CountsNegativeIndicesFromTheEnd) {
  const Shape shape{2, 3, 5};

  EXPECT_EQ(shape.dim(0), 2);
  EXPECT_EQ(shape.dim(-1), 5);
  EXPECT_EQ(shape.dim(-3), 2);
}

TEST(ShapeTest, RefusesADimensionThatItLacks) {
  const Shape shape{2, 3};

  EXPECT_THROW(shape.dim(2), std::logic_error);
  EXPECT_THROW(shape.dim(-3), std::logic_error);
}

TEST(ShapeTest, RefusesNegativeSizesAndTooManyDimensions) {
  EXPECT_THROW((Shape{1, -1}), std::logic_error);
  EXPECT_THROW((Shape{1, 1, 1, 1, 1}), std::logic_error);
}

TEST(ShapeTest, MultipliesItsSizes) {
  EXPECT_EQ((Shape{2, 3, 5, 7}).num_elements(), 210);
  EXPECT_EQ((Shape{2, 0}).num_elements(), 0);
  EXPECT_EQ(Shape().num_elements(), 0);
}

TEST(ShapeTest, ComparesRankAndSizes) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{2}), (Shape{2, 0}));
}

TEST(ShapeTest, ShowsItsSizes) {
  EXPECT_EQ((Shape{7, 32}).to_string(), "[7, 32]");
  EXPECT_EQ(Shape().to_string(), "[]");
}

}  // namespace
}  // namespace notbad
