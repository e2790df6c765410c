#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "core/ops/linear_kernel.h"
#include "tests/support/random_values.h"

// What every way to compute a linear layer owes to those above it.
namespace notbad::testing {

// Bit by bit: sums are taken in one order, whatever tile a row falls into. x is [rows, in].
inline void expect_rows_alone_as_together(const ops::LinearKernel& linear, const Tensor& x,
                                          std::int64_t out_features, ops::Executor& executor) {
  Tensor together({x.dim(0), out_features});
  linear.forward(x.matrix(), together.matrix(), executor);
  for (std::int64_t row = 0; row < x.dim(0); ++row) {
    Tensor alone({1, out_features});
    linear.forward(x.matrix().rows_from(row, 1), alone.matrix(), executor);
    EXPECT_TRUE(std::ranges::equal(alone.values(), together.matrix().row(row))) << "row " << row;
  }
}

inline void expect_no_primitive_once_prepared(const ops::LinearKernel& linear,
                                              std::initializer_list<std::int64_t> numbers_of_rows,
                                              std::int64_t in_features, std::int64_t out_features,
                                              ops::Executor& executor) {
  for (const std::int64_t rows : numbers_of_rows) {
    linear.prepare(rows, executor);
    const std::int64_t prepared = executor.num_primitives();
    const Tensor x = random_tensor(1, {rows, in_features});
    Tensor y({rows, out_features});

    linear.forward(x.matrix(), y.matrix(), executor);

    EXPECT_EQ(executor.num_primitives(), prepared) << rows << " rows";
  }
}

}  // namespace notbad::testing
