#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/ops/dtype.h"
#include "core/ops/linear.h"
#include "core/ops/row_bucket.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops {
namespace {

using testing::is_near;
using testing::random_tensor;

struct Case {
  Dtype dtype;
  InputBits input_bits;
  float tolerance;
};

class LowPrecisionLinearTest : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam().dtype)) {
      GTEST_SKIP() << "this processor has no " << name_of(GetParam().dtype);
    }
  }

  static Linear make(const Tensor& weight, const Tensor& bias,
                     Activation activation = Activation::kNone) {
    return {weight, bias, activation, GetParam().dtype, GetParam().input_bits};
  }

  Tensor forward(const Linear& linear, const Tensor& x) {
    Tensor y({x.dim(0), linear.out_features()});
    linear.forward(x.matrix(), y.matrix(), executor_);
    return y;
  }

  Executor executor_;
};

TEST_P(LowPrecisionLinearTest, IsNearTheSlowTwin) {
  for (const std::int64_t rows : {1, 3, 17, 34}) {
    for (const std::int64_t in : {1, 17, 64}) {
      for (const std::int64_t out : {1, 17, 64}) {
        SCOPED_TRACE((Shape{rows, in, out}).to_string());
        const Tensor x = random_tensor(1, {rows, in});
        const Tensor weight = random_tensor(2, {out, in});
        const Tensor bias = random_tensor(3, {out});
        const Tensor expected = testing::reference_linear(x.matrix(), weight, bias);

        EXPECT_TRUE(is_near(forward(make(weight, bias), x), expected, GetParam().tolerance));
        EXPECT_TRUE(is_near(forward(make(weight, bias, Activation::kGeluErf), x),
                            testing::reference_gelu(expected), GetParam().tolerance));
      }
    }
  }
}

// One weight a hundred times the others takes nothing from them.
TEST_P(LowPrecisionLinearTest, KeepsSmallWeightsBesideALargeOne) {
  Tensor weight = random_tensor(2, {4, 384});
  weight.values()[5] = 100.0F;
  const Tensor bias({4});
  Tensor x = random_tensor(1, {2, 384});
  x.matrix().row(0)[5] = 0.0F;
  x.matrix().row(1)[5] = 0.0F;

  const Tensor expected = testing::reference_linear(x.matrix(), weight, bias);
  EXPECT_TRUE(is_near(forward(make(weight, bias), x), expected, GetParam().tolerance));

  x.matrix().row(1)[5] = 1.0F;
  EXPECT_NEAR(forward(make(weight, bias), x).matrix().row(1)[0],
              testing::reference_linear(x.matrix(), weight, bias).matrix().row(1)[0], 1.0F);
}

TEST_P(LowPrecisionLinearTest, GivesARowTheSameResultInEveryBatch) {
  const Linear linear = make(random_tensor(2, {48, 64}), random_tensor(3, {48}));
  Tensor x = random_tensor(4, {61, 64});
  for (float& value : x.matrix().row(60)) value *= 1000.0F;
  const Tensor together = forward(linear, x);

  for (const std::int64_t row : {0, 17, 60}) {
    const auto values = x.matrix().row(row);
    const Tensor one({1, 64}, {values.begin(), values.end()});
    const Tensor alone = forward(linear, one);
    EXPECT_TRUE(is_near(together.matrix().row(row), alone.values(), 1e-6F)) << "row " << row;
  }
}

TEST_P(LowPrecisionLinearTest, TakesRowsOfZerosAndOfOneValue) {
  const Tensor weight = random_tensor(2, {8, 16});
  const Tensor bias = random_tensor(3, {8});
  Tensor x({2, 16});
  std::ranges::fill(x.matrix().row(1), 0.75F);

  EXPECT_TRUE(is_near(forward(make(weight, bias), x),
                      testing::reference_linear(x.matrix(), weight, bias), GetParam().tolerance));
}

// The service looks for numbers that are none: rounding must not hide them.
TEST_P(LowPrecisionLinearTest, HidesNoValueThatIsNotFinite) {
  const Linear linear = make(random_tensor(2, {8, 64}), Tensor({8}));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const std::int64_t place : {0, 20, 63}) {
      Tensor x = random_tensor(4, {1, 64});
      x.matrix().row(0)[static_cast<std::size_t>(place)] = bad;
      const Tensor y = forward(linear, x);
      EXPECT_TRUE(std::ranges::none_of(y.values(), [](float v) { return std::isfinite(v); }))
          << bad << " at " << place;
    }
  }
}

TEST_P(LowPrecisionLinearTest, HasAFastKernelForEveryBucketAndMakesNoneLater) {
  const Linear linear = make(random_tensor(5, {1536, 384}), Tensor({1536}), Activation::kGeluErf);
  for (std::int64_t rows = 1; rows <= 1024; rows = row_bucket(rows + 1)) {
    linear.prepare(rows, executor_);
  }
  const std::int64_t prepared = executor_.num_primitives();
  forward(linear, random_tensor(1, {17, 384}));

  EXPECT_EQ(executor_.num_primitives(), prepared);
  EXPECT_THAT(executor_.kernel_names(),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("ref"))));
}

// Weights that 8 bits hold exactly leave only the error of the inputs.
TEST(LowPrecisionInputsTest, AreFinerInTwoBytes) {
  if (!is_supported(Dtype::kInt8)) GTEST_SKIP() << "this processor has no int8";
  Tensor weight = random_tensor(2, {8, 64}, 127.0F);
  for (float& value : weight.values()) value = std::round(value);
  for (std::int64_t row = 0; row < 8; ++row) weight.matrix().row(row)[0] = 127.0F;
  const Tensor bias = random_tensor(3, {8});
  const Tensor x = random_tensor(4, {5, 64}, 1.0F / 127.0F);
  const Tensor expected = testing::reference_linear(x.matrix(), weight, bias);
  Executor executor;
  Tensor y({5, 8});

  Linear(weight, bias, Activation::kNone, Dtype::kInt8, InputBits::k16)
      .forward(x.matrix(), y.matrix(), executor);
  EXPECT_TRUE(is_near(y, expected, 1e-4F));

  Linear(weight, bias, Activation::kNone, Dtype::kInt8, InputBits::k8)
      .forward(x.matrix(), y.matrix(), executor);
  EXPECT_TRUE(is_near(y, expected, 0.02F));
  EXPECT_FALSE(is_near(y, expected, 1e-3F));
}

INSTANTIATE_TEST_SUITE_P(Dtypes, LowPrecisionLinearTest,
                         ::testing::Values(Case{Dtype::kBf16, InputBits::k8, 0.01F},
                                           Case{Dtype::kInt8, InputBits::k8, 0.03F},
                                           Case{Dtype::kInt8, InputBits::k16, 0.03F}),
                         [](const auto& test) {
                           return std::string(name_of(test.param.dtype)) +
                                  (test.param.input_bits == InputBits::k16 ? "_16" : "");
                         });

TEST(DtypeTest, HasANameEach) {
  for (const Dtype dtype : kDtypes) EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
  EXPECT_EQ(dtype_named("f16"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);
}

TEST(DtypeTest, OffersAsFastestWhatIsSupported) {
  EXPECT_TRUE(is_supported(Dtype::kF32));
  EXPECT_TRUE(is_supported(fastest_dtype()));
}

}  // namespace
}  // namespace notbad::ops
