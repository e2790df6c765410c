#include "server/http/listen_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace notbad::http {
namespace {

TEST(ListenSocketTest, ChoosesAPortWhereNoneIsNamed) {
  const auto socket = open_listen_socket("127.0.0.1", 0);

  ASSERT_TRUE(socket) << socket.error().message;
  EXPECT_GT(local_port(*socket), 0);
  close(*socket);
}

TEST(ListenSocketTest, RefusesAPortThatIsTaken) {
  const auto first = open_listen_socket("localhost", 0);
  ASSERT_TRUE(first);

  const auto second = open_listen_socket("127.0.0.1", local_port(*first));

  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, testing::HasSubstr(std::to_string(local_port(*first))));
  close(*first);
}

TEST(ListenSocketTest, RefusesANameAsItLooksNothingUp) {
  EXPECT_FALSE(open_listen_socket("nonsense.invalid", 0));
}

TEST(ListenSocketTest, WritesAddressesAsBrowsersReadThem) {
  EXPECT_EQ(to_url("127.0.0.1", 80), "http://127.0.0.1:80");
  EXPECT_EQ(to_url("::1", 8080), "http://[::1]:8080");
}

}  // namespace
}  // namespace notbad::http
