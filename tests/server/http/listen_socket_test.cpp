#include "server/http/listen_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
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

// Whether a connection comes about within 100 ms.
bool can_connect(int client, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  pollfd one{client, POLLOUT, 0};
  return poll(&one, 1, 100) == 1 && one.revents == POLLOUT;
}

// Under load, who connected between the last accept() and close() lost the request sent meanwhile.
TEST(ListenSocketTest, HoldsNewConnectionsOffAndKeepsThoseThatWait) {
  const auto listener = open_listen_socket("127.0.0.1", 0);
  ASSERT_TRUE(listener);
  const int first = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int second = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  ASSERT_TRUE(can_connect(first, local_port(*listener)));

  hold_off_connections(*listener);
  const bool is_second_connected = can_connect(second, local_port(*listener));
  const int accepted = accept(*listener, nullptr, nullptr);
  const int beyond = accept(*listener, nullptr, nullptr);
  close(*listener);

  EXPECT_FALSE(is_second_connected);
  EXPECT_EQ(beyond, -1);
  ASSERT_GE(accepted, 0);
  EXPECT_EQ(write(first, "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(read(accepted, &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  for (const int one : {first, second, accepted}) close(one);
}

TEST(ListenSocketTest, WritesAddressesAsBrowsersReadThem) {
  EXPECT_EQ(to_url("127.0.0.1", 80), "http://127.0.0.1:80");
  EXPECT_EQ(to_url("::1", 8080), "http://[::1]:8080");
}

}  // namespace
}  // namespace notbad::http
