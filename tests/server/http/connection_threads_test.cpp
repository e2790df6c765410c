#include "server/http/connection_threads.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "tests/server/support/scripted_runner.h"

namespace notbad::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

int any_descriptor() { return eventfd(0, EFD_CLOEXEC); }

TEST(ConnectionThreadsTest, ServesEachConnectionOnceAndClosesIt) {
  std::atomic<int> served = 0;
  std::set<int> sockets;
  {
    ConnectionThreads threads(4, [&served](int) { ++served; });
    for (int i = 0; i < 100; ++i) {
      const int socket = *sockets.insert(any_descriptor()).first;
      while (!threads.take(socket)) {
      }
    }
  }
  EXPECT_EQ(served, 100);
  for (const int socket : sockets) EXPECT_EQ(fcntl(socket, F_GETFD), -1) << socket;
}

// A thousand clients that were idle and came back at once were told that all places are taken.
TEST(ConnectionThreadsTest, GivesThePlaceBackBeforeTheClientSeesTheEnd) {
  ConnectionThreads threads(1, [](int) {});
  for (int i = 0; i < 2000; ++i) {
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);

    ASSERT_TRUE(threads.take(ends[1])) << i;

    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 0);
    close(ends[0]);
  }
}

TEST(ConnectionThreadsTest, RefusesWhoComesBeyondTheLimit) {
  service::Gate gate;
  ConnectionThreads threads(2, [&gate](int) { gate.pass(); });

  const int beyond = any_descriptor();

  EXPECT_TRUE(threads.take(any_descriptor()));
  EXPECT_TRUE(threads.take(any_descriptor()));
  EXPECT_FALSE(threads.take(beyond));
  EXPECT_FALSE(threads.wait_until_idle(steady_clock::now() + milliseconds(20)));

  gate.open();
  EXPECT_TRUE(threads.wait_until_idle(steady_clock::now() + milliseconds(10'000)));
  EXPECT_TRUE(threads.take(beyond));
}

// In turn, each thread of a burst would keep memory for its next connection.
TEST(ConnectionThreadsTest, ServesTheNextConnectionOnTheThreadThatHasWaitedLeast) {
  service::Gate gate;
  std::mutex mutex;
  std::set<std::thread::id> ids;
  ConnectionThreads threads(4, [&](int) {
    gate.pass();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  const auto deadline = steady_clock::now() + milliseconds(10'000);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(threads.take(any_descriptor()));
  gate.open();
  ASSERT_TRUE(threads.wait_until_idle(deadline));
  ids.clear();

  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(threads.take(any_descriptor()));
    ASSERT_TRUE(threads.wait_until_idle(deadline));
  }

  EXPECT_EQ(ids.size(), 1);
}

TEST(ConnectionThreadsTest, EndsThreadsThatHaveWaitedLongAndMakesNewOnes) {
  service::Gate gate;
  ConnectionThreads threads(8, [&gate](int) { gate.pass(); }, milliseconds(20));
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(threads.take(any_descriptor()));
  EXPECT_EQ(threads.num_threads(), 8);

  gate.open();
  // Nobody is told when a thread ends, so this looks again and again, for ten seconds at most.
  for (int i = 0; i < 1000 && threads.num_threads() > 0; ++i)
    std::this_thread::sleep_for(milliseconds(10));

  EXPECT_EQ(threads.num_threads(), 0);
  EXPECT_TRUE(threads.take(any_descriptor()));
  EXPECT_TRUE(threads.wait_until_idle(steady_clock::now() + milliseconds(10'000)));
}

}  // namespace
}  // namespace notbad::http
