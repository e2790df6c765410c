#include "core/tensor/matrix_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace notbad {
namespace {

using ::testing::ElementsAre;

class MatrixViewTest : public ::testing::Test {
 protected:
  std::array<float, 12> values_{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  MatrixView matrix_{values_.data(), 3, 4};
};

TEST_F(MatrixViewTest, ReadsRows) { EXPECT_THAT(matrix_.row(1), ElementsAre(4, 5, 6, 7)); }

TEST_F(MatrixViewTest, SplitsColumnsWithoutCopy) {
  const MatrixView head = matrix_.cols_from(2, 2);

  EXPECT_THAT(head.row(2), ElementsAre(10, 11));
  EXPECT_EQ(head.row_stride(), 4);
  EXPECT_FALSE(head.is_contiguous());
  head.row(0)[0] = 20.0F;
  EXPECT_EQ(values_[2], 20.0F);
}

TEST_F(MatrixViewTest, TakesBlocksOfRows) {
  const ConstMatrixView block = matrix_.rows_from(1, 2);

  EXPECT_EQ(block.shape(), (Shape{2, 4}));
  EXPECT_THAT(block.row(0), ElementsAre(4, 5, 6, 7));
  EXPECT_TRUE(block.is_contiguous());
}

TEST_F(MatrixViewTest, TakesAnEmptyBlockAtTheEnd) { EXPECT_EQ(matrix_.rows_from(3, 0).rows(), 0); }

TEST_F(MatrixViewTest, RefusesWhatLiesOutside) {
  EXPECT_THROW(matrix_.row(3), std::logic_error);
  EXPECT_THROW(matrix_.row(-1), std::logic_error);
  EXPECT_THROW(matrix_.rows_from(2, 2), std::logic_error);
  EXPECT_THROW(matrix_.cols_from(3, 2), std::logic_error);
  EXPECT_THROW(MatrixView(values_.data(), 2, 4, 3), std::logic_error);
}

}  // namespace
}  // namespace notbad
