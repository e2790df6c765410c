#include "core/ops/panel/panel_linear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/linear_kernel_checks.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops::panel {
namespace {

using testing::is_near;
using testing::random_bf16_tensor;
using testing::random_tensor;

class PanelLinearTest : public ::testing::TestWithParam<const PanelKernel*> {
 protected:
  Tensor forward(const Tensor& x, const Tensor& weight, const Tensor& bias,
                 Activation activation = Activation::kNone) {
    Tensor y({x.dim(0), weight.dim(0)});
    make_panel_linear(weight, bias, activation, *GetParam())
        ->forward(x.matrix(), y.matrix(), executor_);
    return y;
  }

  Executor executor_;
};

// Past the tallest tile, the rows of a block and the width of a panel, and short of each.
TEST_P(PanelLinearTest, IsTheSlowTwinOnOddSizes) {
  for (const std::int64_t rows : {1, 2, 5, 6, 7, 12, 13, 24, 25, 61}) {
    for (const std::int64_t in : {1, 2, 3, 17, 64}) {
      for (const std::int64_t out : {1, 15, 16, 17, 32, 33, 131}) {
        SCOPED_TRACE((Shape{rows, in, out}).to_string());
        const Tensor x = random_tensor(1, {rows, in});
        const Tensor bias = random_tensor(3, {out});
        for (const Tensor& weight :
             {random_tensor(2, {out, in}), random_bf16_tensor(2, {out, in})}) {
          const Tensor expected = testing::reference_linear(x.matrix(), weight, bias);
          EXPECT_TRUE(is_near(forward(x, weight, bias), expected, 2e-6F));
        }
      }
    }
  }
}

// The same numbers from half the memory: one weight that BF16 cannot hold makes all of them floats.
TEST_P(PanelLinearTest, GivesTheSameFromBf16AsFromFloats) {
  const Tensor x = random_tensor(1, {13, 64});
  const Tensor bias = random_tensor(3, {48});
  const Tensor weight = random_bf16_tensor(2, {48, 64});
  Tensor odd = weight;
  float& last = odd.values().back();
  last = std::bit_cast<float>(std::bit_cast<std::uint32_t>(last) | 1U);

  const Tensor from_bf16 = forward(x, weight, bias);
  const Tensor from_floats = forward(x, odd, bias);

  for (std::int64_t row = 0; row < 13; ++row) {
    const auto a = from_bf16.matrix().row(row).first(47);
    const auto b = from_floats.matrix().row(row).first(47);
    EXPECT_TRUE(std::ranges::equal(a, b)) << "row " << row;
  }
}

TEST_P(PanelLinearTest, TellsWhichKernelItIs) {
  const Tensor bias({48});
  make_panel_linear(random_bf16_tensor(2, {48, 64}), bias, Activation::kNone, *GetParam())
      ->prepare(1, executor_);
  EXPECT_THAT(executor_.kernel_names(), ::testing::ElementsAre(GetParam()->bf16_name));

  make_panel_linear(random_tensor(2, {48, 64}), bias, Activation::kNone, *GetParam())
      ->prepare(1, executor_);
  EXPECT_THAT(executor_.kernel_names(), ::testing::Contains(GetParam()->f32_name));
}

TEST_P(PanelLinearTest, GivesARowTheSameResultInEveryBatch) {
  const auto linear = make_panel_linear(random_bf16_tensor(2, {48, 64}), random_tensor(3, {48}),
                                        Activation::kGeluErf, *GetParam());
  testing::expect_rows_alone_as_together(*linear, random_tensor(4, {61, 64}), 48, executor_);
}

TEST_P(PanelLinearTest, MakesNoPrimitiveForAPreparedNumberOfRows) {
  const auto linear = make_panel_linear(random_bf16_tensor(2, {48, 64}), Tensor({48}),
                                        Activation::kGeluErf, *GetParam());
  testing::expect_no_primitive_once_prepared(*linear, {1, 24, 61}, 64, 48, executor_);
}

// Every kernel that this processor can run, not only the one that it would choose.
INSTANTIATE_TEST_SUITE_P(Kernels, PanelLinearTest, ::testing::ValuesIn(panel_kernels()),
                         [](const auto& kernel) {
                           return "Width" + std::to_string(kernel.param->width);
                         });
// A processor without AVX2 has none.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PanelLinearTest);

}  // namespace
}  // namespace notbad::ops::panel
