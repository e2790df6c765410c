#include "core/base/check.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace notbad {
namespace {

TEST(CheckTest, ThrowsLogicErrorWithTheMessage) {
  try {
    check(1 > 2, "Shape: one is not above two");
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "Shape: one is not above two");
  }
}

TEST(CheckTest, BuildsTheMessageOnlyOnFailure) {
  int built = 0;
  const auto message = [&] { return "message " + std::to_string(++built); };

  check(true, message);
  EXPECT_EQ(built, 0);
  EXPECT_THROW(check(false, message), std::logic_error);
  EXPECT_EQ(built, 1);
}

}  // namespace
}  // namespace notbad
