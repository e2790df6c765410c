#include "core/ops/embedding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "core/tensor/tensor.h"

namespace notbad::ops {
namespace {

TEST(EmbeddingTest, AddsTokenAndPosition) {
  const EmbeddingTable tokens(Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Tensor positions({2, 2}, {10, 20, 30, 40});
  constexpr std::array<std::int32_t, 2> kIds{2, 0};
  Tensor y({2, 2});

  embed(kIds, tokens, positions.matrix(), y.matrix());

  EXPECT_THAT(y.values(), ::testing::ElementsAre(15, 26, 31, 42));
}

// BF16 cannot hold them, so they are kept as they are.
TEST(EmbeddingTest, RoundsNothing) {
  const EmbeddingTable tokens(Tensor({2, 2}, {0.1F, 1.0F, 1.0F, -0.3F}));
  const Tensor positions({2, 2});
  constexpr std::array<std::int32_t, 2> kIds{0, 1};
  Tensor y({2, 2});

  embed(kIds, tokens, positions.matrix(), y.matrix());

  EXPECT_THAT(y.values(), ::testing::ElementsAre(0.1F, 1.0F, 1.0F, -0.3F));
}

TEST(EmbeddingTest, RefusesWhatDoesNotFit) {
  const EmbeddingTable tokens(Tensor({3, 2}));
  const Tensor positions({2, 2});
  constexpr std::array<std::int32_t, 1> kIds{3};
  Tensor wide({1, 3});
  Tensor y({1, 2});

  EXPECT_THROW(embed(kIds, tokens, positions.matrix(), wide.matrix()), std::logic_error);
  EXPECT_THROW(embed(kIds, tokens, positions.matrix(), y.matrix()), std::logic_error);
}

}  // namespace
}  // namespace notbad::ops
