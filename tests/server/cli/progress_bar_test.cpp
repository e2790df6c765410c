#include "server/cli/progress_bar.h"

#include <gtest/gtest.h>

namespace notbad::cli {
namespace {

using std::chrono::seconds;

TEST(ProgressBarTest, ShowsShareRateAndRemainingTime) {
  EXPECT_EQ(format_progress(250, 1000, 50, seconds(20)),
            " 25 % [#######-----------------------]  50 lines  2/s  ETA 1:00");
}

TEST(ProgressBarTest, CountsOnlyWhereTheTotalIsUnknown) {
  EXPECT_EQ(format_progress(250, 0, 50, seconds(10)), "50 lines  5/s");
}

TEST(ProgressBarTest, SaysNothingOfTheTimeBeforeTheFirstLine) {
  EXPECT_EQ(format_progress(0, 1000, 0, seconds(0)),
            "  0 % [------------------------------]  0 lines  0/s");
}

TEST(ProgressBarTest, StaysAtTheEndWhereTheInputGrewMeanwhile) {
  EXPECT_EQ(format_progress(1500, 1000, 3, seconds(3)),
            "100 % [##############################]  3 lines  1/s  ETA 0:00");
}

TEST(ProgressBarTest, WritesHoursWhereThereAreSome) {
  EXPECT_EQ(format_progress(1, 3, 1, seconds(3661)),
            " 33 % [##########--------------------]  1 lines  0/s  ETA 2:02:02");
}

}  // namespace
}  // namespace notbad::cli
