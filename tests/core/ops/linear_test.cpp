#include "core/ops/linear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/ops/onednn/onednn_linear.h"
#include "core/ops/row_bucket.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops {
namespace {

using testing::is_near;
using testing::random_tensor;

constexpr float kTolerance = 2e-6F;

class LinearTest : public ::testing::Test {
 protected:
  // x [rows, in] through a layer of random weights, beside what the slow twin makes of it.
  void expect_slow_twin(std::int64_t rows, std::int64_t in, std::int64_t out) {
    SCOPED_TRACE((Shape{rows, in, out}).to_string());
    const Tensor x = random_tensor(1, {rows, in});
    const Tensor weight = random_tensor(2, {out, in});
    const Tensor bias = random_tensor(3, {out});
    const Tensor expected = testing::reference_linear(x.matrix(), weight, bias);
    Tensor y({rows, out});

    Linear(weight, bias).forward(x.matrix(), y.matrix(), executor_);
    EXPECT_TRUE(is_near(y, expected, kTolerance));

    Linear(weight, bias, Activation::kGeluErf).forward(x.matrix(), y.matrix(), executor_);
    EXPECT_TRUE(is_near(y, testing::reference_gelu(expected), kTolerance));

    // What a processor without AVX2 uses.
    onednn::make_linear(weight, bias, Activation::kGeluErf)
        ->forward(x.matrix(), y.matrix(), executor_);
    EXPECT_TRUE(is_near(y, testing::reference_gelu(expected), kTolerance));
  }

  Linear linear_{random_tensor(2, {48, 16}), random_tensor(3, {48})};
  Executor executor_;
};

TEST_F(LinearTest, IsTheSlowTwinOnOddSizes) {
  for (const std::int64_t rows : {1, 3, 17, 34}) {
    for (const std::int64_t in : {1, 3, 17, 64}) {
      for (const std::int64_t out : {1, 2, 3, 17, 64}) expect_slow_twin(rows, in, out);
    }
  }
}

// The exact GELU against the tanh form, which is 2e-4 away near 2.
TEST_F(LinearTest, ComputesTheErfFormOfGelu) {
  const Linear identity(Tensor({1, 1}, {1.0F}), Tensor({1}), Activation::kGeluErf);
  const Tensor x({5, 1}, {-40.0F, -2.0F, 0.0F, 2.0F, 40.0F});
  Tensor y({5, 1});

  identity.forward(x.matrix(), y.matrix(), executor_);

  const std::vector<float> expected = {0.0F, -0.0455002635F, 0.0F, 1.9544997365F, 40.0F};
  EXPECT_TRUE(is_near(y.values(), expected, 1e-6F));
}

TEST_F(LinearTest, GivesARowTheSameResultInEveryBatch) {
  const Tensor x = random_tensor(4, {64, 16});
  Tensor alone({1, 48});
  linear_.forward(x.matrix().rows_from(0, 1), alone.matrix(), executor_);

  for (const std::int64_t rows : {2, 17, 64}) {
    Tensor together({rows, 48});
    linear_.forward(x.matrix().rows_from(0, rows), together.matrix(), executor_);
    EXPECT_TRUE(is_near(together.matrix().row(0), alone.values(), 1e-6F)) << rows << " rows";
  }
}

// A fallback named "ref" would be a hundred times slower and otherwise go unnoticed: the layout of
// the packed weights must suit the kernel of every bucket.
TEST_F(LinearTest, HasAFastKernelForEveryBucket) {
  for (const Activation activation : {Activation::kNone, Activation::kGeluErf}) {
    const Tensor weight = random_tensor(5, {1536, 384});
    const Linear shipped(weight, Tensor({1536}), activation);
    const auto by_onednn = onednn::make_linear(weight, Tensor({1536}), activation);
    for (std::int64_t rows = 1; rows <= 1024; rows = row_bucket(rows + 1)) {
      shipped.prepare(rows, executor_);
      by_onednn->prepare(rows, executor_);
    }
  }

  EXPECT_THAT(executor_.kernel_names(), ::testing::Not(::testing::IsEmpty()));
  EXPECT_THAT(executor_.kernel_names(),
              ::testing::Not(::testing::Contains(::testing::HasSubstr("ref"))));
}

TEST_F(LinearTest, MakesNoPrimitiveForAPreparedNumberOfRows) {
  linear_.prepare(17, executor_);
  const std::int64_t prepared = executor_.num_primitives();
  const Tensor x = random_tensor(1, {17, 16});
  Tensor y({17, 48});

  linear_.forward(x.matrix(), y.matrix(), executor_);

  EXPECT_EQ(executor_.num_primitives(), prepared);
}

TEST_F(LinearTest, KeepsApartTwoOfOneShape) {
  const Linear other(random_tensor(8, {48, 16}), random_tensor(9, {48}));
  const Tensor x = random_tensor(1, {3, 16});
  Tensor first({3, 48});
  Tensor second({3, 48});
  Tensor again({3, 48});

  linear_.forward(x.matrix(), first.matrix(), executor_);
  other.forward(x.matrix(), second.matrix(), executor_);
  linear_.forward(x.matrix(), again.matrix(), executor_);

  EXPECT_FALSE(is_near(second, first, 1e-3F));
  EXPECT_TRUE(std::ranges::equal(again.values(), first.values()));
}

TEST_F(LinearTest, ServesThreadsWithAnExecutorEach) {
  const Tensor x = random_tensor(1, {17, 16});
  Tensor expected({17, 48});
  linear_.forward(x.matrix(), expected.matrix(), executor_);
  std::vector<Tensor> results(4, Tensor({17, 48}));
  std::vector<std::thread> threads;
  for (Tensor& result : results) {
    threads.emplace_back([&] {
      use_one_thread();
      Executor own;
      for (int run = 0; run < 50; ++run) linear_.forward(x.matrix(), result.matrix(), own);
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (const Tensor& result : results) {
    EXPECT_TRUE(std::ranges::equal(result.values(), expected.values()));
  }
}

TEST_F(LinearTest, RefusesShapesThatDoNotFit) {
  const Tensor narrow({3, 15});
  const Tensor x({3, 16});
  Tensor y({3, 48});
  Tensor short_y({2, 48});
  Tensor wide({3, 96});

  EXPECT_THROW(linear_.forward(narrow.matrix(), y.matrix(), executor_), std::logic_error);
  EXPECT_THROW(linear_.forward(x.matrix(), short_y.matrix(), executor_), std::logic_error);
  EXPECT_THROW(linear_.forward(x.matrix(), wide.matrix().cols_from(0, 48), executor_),
               std::logic_error);
  EXPECT_THROW(Linear(Tensor({4, 2}), Tensor({3})), std::logic_error);
}

}  // namespace
}  // namespace notbad::ops
