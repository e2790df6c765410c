#include "server/api/message.h"

#include <gtest/gtest.h>

namespace notbad::api {
namespace {

TEST(MessageTest, FindsAHeaderWhateverItsCase) {
  const Request request{"GET", "/", {{"x-a", "1"}, {"X-B", "2"}, {"x-b", "3"}}, ""};

  ASSERT_NE(request.find_header("X-A"), nullptr);
  EXPECT_EQ(*request.find_header("X-A"), "1");
  EXPECT_EQ(*request.find_header("x-b"), "2");
  EXPECT_EQ(request.find_header("x"), nullptr);
}

TEST(MessageTest, JoinsHeadersOfOneName) {
  const Request request{"GET", "/", {{"accept", "a/b"}, {"X", "1"}, {"Accept", "c/d, e/f"}}, ""};

  EXPECT_EQ(request.list_header("Accept"), "a/b,c/d, e/f");
  EXPECT_EQ(request.list_header("Y"), "");
}

}  // namespace
}  // namespace notbad::api
