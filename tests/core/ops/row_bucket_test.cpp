#include "core/ops/row_bucket.h"

#include <gtest/gtest.h>

namespace notbad::ops {
namespace {

constexpr std::int64_t kLargest = 5000;

TEST(RowBucketTest, IsExactForShortBatches) {
  for (std::int64_t rows = 1; rows <= 32; ++rows) EXPECT_EQ(row_bucket(rows), rows);
}

TEST(RowBucketTest, AddsAtMostASixteenth) {
  for (std::int64_t rows = 1; rows <= kLargest; ++rows) {
    EXPECT_GE(row_bucket(rows), rows);
    EXPECT_LE((row_bucket(rows) - rows) * 16, rows) << rows;
  }
}

TEST(RowBucketTest, IsItsOwnBucket) {
  for (std::int64_t rows = 1; rows <= kLargest; ++rows) {
    EXPECT_EQ(row_bucket(row_bucket(rows)), row_bucket(rows)) << rows;
  }
}

TEST(RowBucketTest, KeepsTheNumberOfPrimitivesSmall) {
  int buckets = 0;
  for (std::int64_t rows = 1; rows <= 4096; rows = row_bucket(rows + 1)) ++buckets;

  EXPECT_EQ(buckets, 32 + 7 * 16);
}

}  // namespace
}  // namespace notbad::ops
