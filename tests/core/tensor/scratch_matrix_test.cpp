#include "core/tensor/scratch_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace notbad {
namespace {

TEST(ScratchMatrixTest, BeginsAsZerosAndKeepsWhatIsWritten) {
  ScratchMatrix scratch(3, 4);
  EXPECT_EQ(scratch.rows(), 3);
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_TRUE(std::ranges::all_of(scratch.matrix().row(row), [](float v) { return v == 0.0F; }));
  }

  scratch.matrix().row(2)[3] = 5.0F;

  EXPECT_EQ(scratch.data()[11], 5.0F);
}

TEST(ScratchMatrixTest, MayHaveNoRoom) {
  ScratchMatrix scratch;
  EXPECT_EQ(scratch.matrix().rows(), 0);
  EXPECT_EQ(ScratchMatrix(0, 7).rows(), 0);
}

}  // namespace
}  // namespace notbad
