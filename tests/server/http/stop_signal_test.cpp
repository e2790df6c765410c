#include "server/http/stop_signal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace notbad::http {
namespace {

// Each in a process of its own: the signals of the test program stay as they are.
TEST(StopSignalDeathTest, WaitsForTheFirstSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        StopSignal stop;
        stop.expect_work();
        kill(getpid(), SIGTERM);
        stop.wait();
        std::_Exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(StopSignalDeathTest, EndsTheProgramAtTheFirstWhereThereIsNoWorkYet) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const StopSignal stop;
        kill(getpid(), SIGTERM);
        sleep(10);
        std::_Exit(7);
      },
      testing::ExitedWithCode(0), "");
}

TEST(StopSignalDeathTest, TakesAHangupForAnEndUnlessItIsIgnored) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        StopSignal stop;
        stop.expect_work();
        kill(getpid(), SIGHUP);
        stop.wait();
        std::_Exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        const StopSignal stop;
        kill(getpid(), SIGHUP);
        std::_Exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(StopSignalDeathTest, LivesOnAfterOtherSignals) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const StopSignal stop;
        for (const int signal : {SIGUSR1, SIGUSR2, SIGPIPE, SIGCHLD}) kill(getpid(), signal);
        std::_Exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST(StopSignalDeathTest, EndsTheProgramAtTheSecond) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        StopSignal stop;
        stop.expect_work();
        kill(getpid(), SIGINT);
        stop.wait();
        kill(getpid(), SIGTERM);
        sleep(10);
        std::_Exit(0);
      },
      testing::ExitedWithCode(1), "");
}

TEST(StopSignalDeathTest, GoesWithoutASignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        {
          const StopSignal stop;
        }
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace notbad::http
