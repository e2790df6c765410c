#include "core/ops/matmul.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "core/ops/onednn/onednn_matmul.h"
#include "core/ops/panel/panel_linear.h"
#include "core/ops/panel/panel_matmul.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::ops {
namespace {

using testing::is_near;
using testing::random_tensor;

constexpr float kTolerance = 2e-6F;

Tensor transposed(ConstMatrixView x) {
  Tensor y({x.cols(), x.rows()});
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    for (std::int64_t col = 0; col < x.cols(); ++col) {
      y.matrix().row(col)[static_cast<std::size_t>(row)] =
          x.row(row)[static_cast<std::size_t>(col)];
    }
  }
  return y;
}

class MatmulTest : public ::testing::Test {
 protected:
  void expect_slow_twin(std::int64_t m, std::int64_t k, std::int64_t n) {
    SCOPED_TRACE((Shape{m, k, n}).to_string());
    const Tensor a = random_tensor(1, {m, k});
    const Tensor b = random_tensor(2, {k, n});
    const Tensor expected = testing::reference_matmul(a.matrix(), b.matrix());
    Tensor c({m, n});

    matmul(a.matrix(), b.matrix(), c.matrix(), executor_);
    EXPECT_TRUE(is_near(c, expected, kTolerance));

    matmul_transposed(a.matrix(), transposed(b.matrix()).matrix(), 2.0F, c.matrix(), executor_);
    for (float& value : c.values()) value *= 0.5F;
    EXPECT_TRUE(is_near(c, expected, kTolerance));

    for (const panel::PanelKernel* kernel : panel::panel_kernels()) {
      panel::matmul(*kernel, a.matrix(), b.matrix(), c.matrix(), executor_);
      EXPECT_TRUE(is_near(c, expected, kTolerance)) << kernel->f32_name;
    }
    // What a processor without AVX2 uses.
    onednn::matmul(a.matrix(), b.matrix(), c.matrix());
    EXPECT_TRUE(is_near(c, expected, kTolerance));
  }

  Executor executor_;
};

TEST_F(MatmulTest, IsTheSlowTwinOnOddSizes) {
  for (const std::int64_t m : {1, 3, 17, 100}) {
    for (const std::int64_t k : {1, 3, 17, 32}) {
      for (const std::int64_t n : {1, 3, 17, 100}) expect_slow_twin(m, k, n);
    }
  }
}

// As attention uses them: head 1 of three inside packed projections.
TEST_F(MatmulTest, WorksOnHeadsInPlaceAndTouchesNoNeighbour) {
  const Tensor packed = random_tensor(1, {7, 12});
  const Tensor weights = random_tensor(2, {7, 7});
  const ConstMatrixView head = packed.matrix().cols_from(4, 4);
  Tensor context({7, 12});

  matmul(weights.matrix(), head, context.matrix().cols_from(4, 4), executor_);

  const Tensor expected = testing::reference_matmul(weights.matrix(), head);
  for (std::int64_t row = 0; row < 7; ++row) {
    EXPECT_TRUE(
        is_near(context.matrix().cols_from(4, 4).row(row), expected.matrix().row(row), kTolerance));
    for (const std::size_t col : {0U, 3U, 8U, 11U}) {
      EXPECT_EQ(context.matrix().row(row)[col], 0.0F);
    }
  }
}

TEST_F(MatmulTest, OverwritesWhatWasThere) {
  const Tensor a({1, 1}, {2.0F});
  Tensor c({1, 1}, {std::numeric_limits<float>::quiet_NaN()});

  matmul(a.matrix(), a.matrix(), c.matrix(), executor_);

  EXPECT_EQ(c.values()[0], 4.0F);
}

TEST_F(MatmulTest, RefusesShapesThatDoNotFit) {
  const Tensor a({2, 3});
  const Tensor b({4, 5});
  Tensor c({2, 5});

  EXPECT_THROW(matmul(a.matrix(), b.matrix(), c.matrix(), executor_), std::logic_error);
  EXPECT_THROW(matmul_transposed(a.matrix(), b.matrix(), 1.0F, c.matrix(), executor_),
               std::logic_error);
}

}  // namespace
}  // namespace notbad::ops
