#include "server/config/cpu_budget.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace notbad::config {
namespace {

TEST(CpuBudgetTest, ReadsTheQuotaOfAGroup) {
  EXPECT_EQ(parse_cpu_max("50000 100000"), 0.5);
  EXPECT_EQ(parse_cpu_max("250000 100000"), 2.5);
}

TEST(CpuBudgetTest, TakesAnythingElseForNoLimit) {
  for (const char* text : {"", "max 100000", "50000", "x y", "50000 0", "-1 100000", "1 2 3"})
    EXPECT_EQ(parse_cpu_max(text), std::nullopt) << text;
}

TEST(CpuBudgetTest, FollowsTheAffinityOfTheProcess) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), CPU_COUNT(&before));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);

  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_cores(), 1);

  sched_setaffinity(0, sizeof(before), &before);
}

}  // namespace
}  // namespace notbad::config
