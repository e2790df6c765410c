#include "core/ops/amx/amx_linear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/ops/onednn/low_precision_linear.h"
#include "core/ops/processor.h"
#include "tests/support/linear_kernel_checks.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops::amx {
namespace {

using testing::is_near;
using testing::random_bf16_tensor;
using testing::random_tensor;

template <class Param>
class AmxTest : public ::testing::TestWithParam<Param> {
 protected:
  void SetUp() override {
    // Only some processors know the instructions: on others there is nothing to test.
    if (!processor_has(Instructions::kAmx)) GTEST_SKIP() << "this processor has no AMX";
  }

  Executor executor_;
};

class AmxLinearTest : public AmxTest<InputParts> {
 protected:
  Tensor forward(const Tensor& x, const Tensor& weight, const Tensor& bias,
                 Activation activation = Activation::kNone) {
    Tensor y({x.dim(0), weight.dim(0)});
    make_bf16_linear(weight, bias, activation, GetParam())
        ->forward(x.matrix(), y.matrix(), executor_);
    return y;
  }

  // What of `x` reaches the products.
  static Tensor taken(const Tensor& x) {
    Tensor values = x;
    if (GetParam() == InputParts::kRounded) {
      for (float& value : values.values()) {
        // Nearest, ties to even: half a step of BF16 in the bits that it has not.
        auto bits = std::bit_cast<std::uint32_t>(value);
        bits += 0x7FFFU + (bits >> 16U & 1U);
        value = std::bit_cast<float>(bits & 0xFFFF0000U);
      }
    }
    return values;
  }
};

// Past a tile, a pair of tiles and a block of rows, a step of inputs and a panel of outputs, and
// short of each.
TEST_P(AmxLinearTest, IsTheSlowTwinOnOddSizes) {
  for (const std::int64_t rows : {1, 2, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 97}) {
    for (const std::int64_t in : {1, 2, 3, 31, 32, 33, 95}) {
      for (const std::int64_t out : {1, 15, 16, 17, 32, 33, 131}) {
        SCOPED_TRACE((Shape{rows, in, out}).to_string());
        const Tensor x = random_tensor(1, {rows, in});
        const Tensor bias = random_tensor(3, {out});
        const Tensor weight = random_bf16_tensor(2, {out, in});
        const Tensor expected = testing::reference_linear(taken(x).matrix(), weight, bias);

        EXPECT_TRUE(is_near(forward(x, weight, bias), expected, 2e-6F));
      }
    }
  }
}

TEST_P(AmxLinearTest, AppliesTheActivation) {
  const Tensor x = random_tensor(1, {70, 33});
  const Tensor weight = random_bf16_tensor(2, {48, 33});
  const Tensor bias = random_tensor(3, {48});
  const Tensor expected = testing::reference_linear(taken(x).matrix(), weight, bias);

  EXPECT_TRUE(is_near(forward(x, weight, bias, Activation::kGeluErf),
                      testing::reference_gelu(expected), 2e-6F));
}

// Three parts are the float, to the last bit; one is the nearest BF16 number.
TEST_P(AmxLinearTest, TakesInputsAsExactlyAsItSays) {
  constexpr std::int64_t kSize = 40;
  Tensor identity({kSize, kSize});
  for (std::int64_t i = 0; i < kSize; ++i) {
    identity.matrix().row(i)[static_cast<std::size_t>(i)] = 1.0F;
  }
  Tensor x = random_tensor(7, {3, kSize}, 1000.0F);
  const auto first = x.matrix().row(0);
  std::ranges::copy(std::vector<float>{1.0F + 0x1p-23F, -(1.0F + 0x1p-23F), 2.0F - 0x1p-23F,
                                       16777215.0F, 1.00390625F, -0.0F, 1e-30F, 3e38F},
                    first.begin());

  const Tensor y = forward(x, identity, Tensor({kSize}));

  EXPECT_THAT(y.values(), ::testing::ElementsAreArray(taken(x).values()));
}

TEST_P(AmxLinearTest, GivesARowTheSameResultInEveryBatch) {
  const auto linear = make_bf16_linear(random_bf16_tensor(2, {48, 100}), random_tensor(3, {48}),
                                       Activation::kGeluErf, GetParam());
  testing::expect_rows_alone_as_together(*linear, random_tensor(4, {83, 100}), 48, executor_);
}

TEST_P(AmxLinearTest, KeepsWhatIsNotFiniteToItsRow) {
  Tensor x = random_tensor(4, {5, 40});
  x.matrix().row(1)[7] = std::numeric_limits<float>::infinity();
  x.matrix().row(3)[39] = std::numeric_limits<float>::quiet_NaN();

  const Tensor y = forward(x, random_bf16_tensor(2, {48, 40}), Tensor({48}));

  for (std::int64_t row = 0; row < 5; ++row) {
    const bool is_hit = row == 1 || row == 3;
    for (const float value : y.matrix().row(row)) {
      EXPECT_EQ(std::isfinite(value), !is_hit) << "row " << row;
    }
  }
}

TEST_P(AmxLinearTest, TellsWhichKernelItIs) {
  make_bf16_linear(random_bf16_tensor(2, {48, 64}), Tensor({48}), Activation::kNone, GetParam())
      ->prepare(1, executor_);

  EXPECT_THAT(executor_.kernel_names(),
              ::testing::ElementsAre(GetParam() == InputParts::kExact ? "amx:f32_by_bf16_weights"
                                                                      : "amx:bf16"));
}

TEST_P(AmxLinearTest, MakesNoPrimitiveForAPreparedNumberOfRows) {
  const auto linear = make_bf16_linear(random_bf16_tensor(2, {48, 64}), Tensor({48}),
                                       Activation::kGeluErf, GetParam());
  testing::expect_no_primitive_once_prepared(*linear, {1, 64, 83}, 64, 48, executor_);
}

INSTANTIATE_TEST_SUITE_P(Parts, AmxLinearTest,
                         ::testing::Values(InputParts::kRounded, InputParts::kExact),
                         [](const auto& parts) {
                           return parts.param == InputParts::kExact ? "Exact" : "Rounded";
                         });

class AmxInt8LinearTest : public AmxTest<InputBits> {
 protected:
  static std::unique_ptr<const LinearKernel> make(std::int64_t in, std::int64_t out) {
    return make_int8_linear(random_tensor(2, {out, in}), random_tensor(3, {out}), Activation::kNone,
                            GetParam());
  }
};

// Past a tile, a pair of tiles and a block of rows, a run of inputs and a panel of outputs, and
// short of each; one weight is large enough to be kept apart.
TEST_P(AmxInt8LinearTest, IsTheOneOfOneDnnToTheLastBit) {
  for (const std::int64_t rows : {1, 2, 15, 16, 17, 31, 32, 33, 64, 65, 97}) {
    for (const std::int64_t in : {1, 3, 63, 64, 65, 150}) {
      for (const std::int64_t out : {1, 16, 31, 32, 33, 131}) {
        SCOPED_TRACE((Shape{rows, in, out}).to_string());
        const Tensor x = random_tensor(1, {rows, in});
        Tensor weight = random_tensor(2, {out, in});
        weight.values().back() = 30.0F;
        const Tensor bias = random_tensor(3, {out});
        const auto result_of = [&](const auto& make) {
          Tensor y({rows, out});
          make(weight, bias, Activation::kGeluErf, GetParam())
              ->forward(x.matrix(), y.matrix(), executor_);
          return y;
        };

        EXPECT_THAT(result_of(make_int8_linear).values(),
                    ::testing::ElementsAreArray(result_of(onednn::make_int8_linear).values()));
      }
    }
  }
}

TEST_P(AmxInt8LinearTest, GivesARowTheSameResultInEveryBatch) {
  testing::expect_rows_alone_as_together(*make(100, 48), random_tensor(4, {83, 100}), 48,
                                         executor_);
}

TEST_P(AmxInt8LinearTest, MakesNoPrimitiveForAPreparedNumberOfRows) {
  testing::expect_no_primitive_once_prepared(*make(64, 48), {1, 64, 83}, 64, 48, executor_);
  EXPECT_THAT(executor_.kernel_names(), ::testing::ElementsAre("amx:int8"));
}

INSTANTIATE_TEST_SUITE_P(Bits, AmxInt8LinearTest, ::testing::Values(InputBits::k8, InputBits::k16),
                         [](const auto& bits) {
                           return bits.param == InputBits::k8 ? "OneByte" : "TwoBytes";
                         });

}  // namespace
}  // namespace notbad::ops::amx
