#include "core/ops/layer_norm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops {
namespace {

using testing::is_near;
using testing::random_tensor;

constexpr float kTolerance = 2e-6F;
constexpr float kEpsilon = 1e-12F;

class LayerNormTest : public ::testing::Test {
 protected:
  void expect_slow_twin(std::int64_t rows, std::int64_t features) {
    SCOPED_TRACE((Shape{rows, features}).to_string());
    const Tensor x = random_tensor(1, {rows, features}, 3.0F);
    const Tensor scale = random_tensor(2, {features});
    const Tensor shift = random_tensor(3, {features});
    Tensor y = x;

    LayerNorm(scale, shift, kEpsilon).forward(y.matrix());

    const Tensor expected =
        testing::reference_layer_norm(x.matrix(), scale, shift, static_cast<double>(kEpsilon));
    EXPECT_TRUE(is_near(y, expected, kTolerance));
  }
};

TEST_F(LayerNormTest, IsTheSlowTwinOnOddSizes) {
  for (const std::int64_t rows : {1, 3, 17}) {
    for (const std::int64_t features : {3, 17, 64, 384}) expect_slow_twin(rows, features);
  }
}

TEST_F(LayerNormTest, AddsEpsilonToTheVarianceNotToItsRoot) {
  const LayerNorm norm(Tensor({2}, {1.0F, 1.0F}), Tensor({2}), 3.0F);
  Tensor x({1, 2}, {-1.0F, 1.0F});  // variance 1

  norm.forward(x.matrix());

  EXPECT_TRUE(is_near(x.values(), std::vector<float>{-0.5F, 0.5F}, kTolerance));
}

TEST_F(LayerNormTest, GivesAConstantRowItsShift) {
  const LayerNorm norm(Tensor({4}, {1, 2, 3, 4}), Tensor({4}, {5, 6, 7, 8}), kEpsilon);
  Tensor x({1, 4}, {0.0F, 0.0F, 0.0F, 0.0F});

  norm.forward(x.matrix());

  EXPECT_THAT(x.values(), ::testing::ElementsAre(5, 6, 7, 8));
}

TEST_F(LayerNormTest, KeepsItsPrecisionFarFromZero) {
  const LayerNorm norm(Tensor({4}, {1, 1, 1, 1}), Tensor({4}), kEpsilon);
  const Tensor x({1, 4}, {1000.0F, 1001.0F, 1002.0F, 1003.0F});
  Tensor y = x;

  norm.forward(y.matrix());

  const Tensor expected = testing::reference_layer_norm(x.matrix(), Tensor({4}, {1, 1, 1, 1}),
                                                        Tensor({4}), static_cast<double>(kEpsilon));
  EXPECT_TRUE(is_near(y, expected, 1e-5F));
}

TEST_F(LayerNormTest, KeepsApartTwoOfOneShape) {
  const Tensor ones({2}, {1.0F, 1.0F});
  Tensor first({1, 2}, {-1.0F, 1.0F});
  Tensor second = first;

  LayerNorm(ones, Tensor({2}), 3.0F).forward(first.matrix());
  LayerNorm(ones, Tensor({2}), 8.0F).forward(second.matrix());

  EXPECT_TRUE(is_near(first.values(), std::vector<float>{-0.5F, 0.5F}, kTolerance));
  EXPECT_TRUE(is_near(second.values(), std::vector<float>{-1.0F / 3, 1.0F / 3}, kTolerance));
}

TEST_F(LayerNormTest, RefusesShapesThatDoNotFit) {
  const LayerNorm norm(Tensor({4}), Tensor({4}), kEpsilon);
  Tensor narrow({2, 3});

  EXPECT_THROW(norm.forward(narrow.matrix()), std::logic_error);
  EXPECT_THROW(LayerNorm(Tensor({4}), Tensor({3}), kEpsilon), std::logic_error);
}

}  // namespace
}  // namespace notbad::ops
