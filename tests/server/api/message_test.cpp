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

}  // namespace
}  // namespace notbad::api
