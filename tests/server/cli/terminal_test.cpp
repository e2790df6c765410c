#include "server/cli/terminal.h"

#include <gtest/gtest.h>

namespace notbad::cli {
namespace {

TEST(TerminalTest, MakesEscapeSequencesAndDirectionMarksHarmless) {
  EXPECT_EQ(printable("a\033[31mb\x7F\u202Ec\n\u0085"), "a\uFFFD[31mb\uFFFD\uFFFDc\uFFFD\uFFFD");
}

TEST(TerminalTest, ReplacesBrokenUtf8) { EXPECT_EQ(printable("a\xFF"), "a\uFFFD"); }

TEST(TerminalTest, CountsWideCharactersTwiceAndCombiningOnesNever) {
  EXPECT_EQ(display_width("naïve"), 5);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("映画"), 4);
}

TEST(TerminalTest, PadsOrCutsToTheWidth) {
  EXPECT_EQ(fit_left("ab", 4), "ab  ");
  EXPECT_EQ(fit_right("ab", 4), "  ab");
  EXPECT_EQ(fit_left("abcdef", 4), "abc…");
  EXPECT_EQ(fit_right("映画館", 4), " 映…");
}

}  // namespace
}  // namespace notbad::cli
