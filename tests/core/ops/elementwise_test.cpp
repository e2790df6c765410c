#include "core/ops/elementwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "core/tensor/tensor.h"

namespace notbad::ops {
namespace {

using ::testing::ElementsAre;

TEST(ElementwiseTest, AddsInPlace) {
  Tensor x({2, 2}, {1, 2, 3, 4});
  const Tensor y({2, 2}, {10, 20, 30, 40});

  add_in_place(x.matrix(), y.matrix());

  EXPECT_THAT(x.values(), ElementsAre(11, 22, 33, 44));
}

TEST(ElementwiseTest, AveragesRows) {
  const Tensor x({3, 2}, {1, 10, 2, 20, 6, 60});
  std::array<float, 2> mean{-1.0F, -1.0F};

  mean_over_rows(x.matrix(), mean);

  EXPECT_THAT(mean, ElementsAre(3, 30));
}

TEST(ElementwiseTest, RefusesShapesThatDoNotFit) {
  Tensor x({2, 2});
  const Tensor y({2, 3});
  std::array<float, 2> mean{};

  EXPECT_THROW(add_in_place(x.matrix(), y.matrix()), std::logic_error);
  EXPECT_THROW(mean_over_rows(y.matrix(), mean), std::logic_error);
  EXPECT_THROW(mean_over_rows(x.matrix().rows_from(0, 0), mean), std::logic_error);
}

}  // namespace
}  // namespace notbad::ops
