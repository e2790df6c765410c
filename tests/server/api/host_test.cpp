#include "server/api/host.h"

#include <gtest/gtest.h>

namespace notbad::api {
namespace {

TEST(HostTest, IsAnyWhereNothingIsListed) {
  EXPECT_TRUE(is_allowed_host("evil.example", ""));
  EXPECT_TRUE(is_allowed_host("", ""));
}

TEST(HostTest, IsOneOfTheList) {
  const char* allowed = "localhost,notbad.example:8080,127.0.0.1,[::1]";
  for (const char* host : {"localhost", "localhost:8080", "NotBad.Example", "notbad.example:443",
                           "127.0.0.1:1", "[::1]", "[::1]:8080"})
    EXPECT_TRUE(is_allowed_host(host, allowed)) << host;
  for (const char* host :
       {"", "evil.example", "notbad.example.evil", "evilnotbad.example", ":8080",
        "localhost,127.0.0.1", "[::2]", "[::1", "127.0.0.1:1:2", "notbad.example/"})
    EXPECT_FALSE(is_allowed_host(host, allowed)) << host;
}

}  // namespace
}  // namespace notbad::api
