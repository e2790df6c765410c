#include "core/ops/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ops/onednn/onednn_gelu.h"

namespace notbad::ops {
namespace {

TEST(ExecutorTest, NamesEachKernelOnce) {
  Executor executor;
  EXPECT_THAT(executor.kernel_names(), ::testing::IsEmpty());

  onednn::prepare_gelu(1, 3, executor);
  onednn::prepare_gelu(1, 4, executor);

  EXPECT_EQ(executor.num_primitives(), 2);
  EXPECT_EQ(executor.kernel_names().size(), 1U);
}

TEST(ExecutorTest, KeepsItsPrimitivesWhenMoved) {
  Executor executor;
  onednn::prepare_gelu(1, 3, executor);

  const Executor moved = std::move(executor);

  EXPECT_EQ(moved.num_primitives(), 1);
}

}  // namespace
}  // namespace notbad::ops
