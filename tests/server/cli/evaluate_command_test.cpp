#include "server/cli/evaluate_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/cli/stub_service.h"

namespace notbad::cli {
namespace {

using EvaluateRowsTest = StubServiceTest;

TEST_F(EvaluateRowsTest, ComparesEachRowWithItsOwnLabel) {
  ProgressBar progress(0);
  const std::vector<LabelledRow> rows = {
      {"a good film", 1}, {"good film", 0}, {"not a good film", 1}};

  const auto evaluation = evaluate_rows(rows, service(), {.chunk = 2, .classify = {}}, progress);

  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->all.right, 2);
  EXPECT_EQ(evaluation->all.rows, 3);
  EXPECT_EQ(evaluation->negated.rows, 1);
  EXPECT_EQ(evaluation->negated.right, 0);
}

TEST_F(EvaluateRowsTest, NamesTheRowThatTheServiceRefuses) {
  ProgressBar progress(0);

  const auto evaluation =
      evaluate_rows({{"a good film", 1}, {" ", 0}}, service(), {.classify = {}}, progress);

  ASSERT_FALSE(evaluation);
  EXPECT_THAT(evaluation.error().message, testing::StartsWith("row 2: "));
}

}  // namespace
}  // namespace notbad::cli
