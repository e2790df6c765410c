#include "server/http/connection_threads.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/server/support/scripted_runner.h"

namespace notbad::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(ConnectionThreadsTest, ServesEachConnectionOnce) {
  std::atomic<int> sum = 0;
  {
    ConnectionThreads threads(4, [&sum](int socket) { sum += socket; });
    for (int socket = 1; socket <= 100; ++socket) {
      while (!threads.take(socket)) {
      }
    }
  }
  EXPECT_EQ(sum, 5050);
}

TEST(ConnectionThreadsTest, RefusesWhoComesBeyondTheLimit) {
  service::Gate gate;
  ConnectionThreads threads(2, [&gate](int) { gate.pass(); });

  EXPECT_TRUE(threads.take(1));
  EXPECT_TRUE(threads.take(2));
  EXPECT_FALSE(threads.take(3));
  EXPECT_FALSE(threads.wait_until_idle(steady_clock::now() + milliseconds(20)));

  gate.open();
  EXPECT_TRUE(threads.wait_until_idle(steady_clock::now() + milliseconds(10'000)));
  EXPECT_TRUE(threads.take(3));
}

}  // namespace
}  // namespace notbad::http
