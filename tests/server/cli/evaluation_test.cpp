#include "server/cli/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace notbad::cli {
namespace {

EvaluatedRow row(std::int64_t expected, float positive, bool is_negated = false) {
  return {
      .expected = expected, .probabilities = {1 - positive, positive}, .is_negated = is_negated};
}

TEST(EvaluationTest, CountsRightRowsAndNegatedRowsApart) {
  const Evaluation evaluation =
      evaluate({row(1, 0.9F), row(0, 0.2F), row(1, 0.3F, true), row(0, 0.1F, true)}, 2);

  EXPECT_EQ(evaluation.all.right, 3);
  EXPECT_EQ(evaluation.all.rows, 4);
  EXPECT_EQ(evaluation.negated.right, 1);
  EXPECT_EQ(evaluation.negated.rows, 2);
}

TEST(EvaluationTest, PutsExpectedInRowsAndPredictedInColumns) {
  const Evaluation evaluation = evaluate({row(1, 0.3F), row(1, 0.2F), row(0, 0.9F)}, 2);

  EXPECT_THAT(evaluation.confusion,
              testing::ElementsAre(testing::ElementsAre(0, 1), testing::ElementsAre(2, 0)));
}

TEST(EvaluationTest, WeighsTheGapOfEachBinByItsRows) {
  // Three rows at confidence 0.9, two of them right: gap |0.9 - 2/3|. One at 0.6, wrong: gap 0.6.
  const Evaluation evaluation =
      evaluate({row(1, 0.9F), row(1, 0.9F), row(0, 0.9F), row(0, 0.6F)}, 2);

  EXPECT_NEAR(evaluation.expected_calibration_error, 0.75 * (0.9 - 2.0 / 3.0) + 0.25 * 0.6, 1e-6);
  ASSERT_EQ(evaluation.bins.size(), 2U);
  EXPECT_EQ(evaluation.bins[0].rows, 1);
  EXPECT_EQ(evaluation.bins[1].rows, 3);
}

TEST(EvaluationTest, GivesZeroErrorWhereConfidenceIsAccuracy) {
  const Evaluation evaluation = evaluate({row(1, 1.0F), row(0, 0.0F)}, 2);

  EXPECT_DOUBLE_EQ(evaluation.expected_calibration_error, 0);
}

TEST(EvaluationTest, SurvivesNoRowsAtAll) {
  const Evaluation evaluation = evaluate({}, 2);

  EXPECT_EQ(evaluation.all.accuracy(), 0);
  EXPECT_EQ(evaluation.expected_calibration_error, 0);
  EXPECT_THAT(format_evaluation(evaluation, {"negative", "positive"}),
              testing::HasSubstr("(0 of 0)"));
}

TEST(EvaluationTest, RefusesARowOfAnotherNumberOfLabels) {
  EXPECT_THROW(evaluate({row(2, 0.5F)}, 2), std::logic_error);
}

TEST(EvaluationTest, PrintsEachFigureWithItsCounts) {
  const std::string text =
      format_evaluation(evaluate({row(1, 0.9F), row(0, 0.8F, true)}, 2), {"negative", "positive"});

  EXPECT_THAT(text, testing::HasSubstr("accuracy                50.00 %  (1 of 2)"));
  EXPECT_THAT(text, testing::HasSubstr("negated rows             0.00 %  (0 of 1)"));
}

}  // namespace
}  // namespace notbad::cli
