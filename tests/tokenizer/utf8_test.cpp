#include "tokenizer/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace notbad::tokenizer {
namespace {

TEST(Utf8Test, AcceptsEveryLengthOfSequence) {
  EXPECT_EQ(first_invalid_utf8("a\u00e9\u20ac\U0001F600"), std::nullopt);
  EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
  EXPECT_EQ(first_invalid_utf8(std::string("a\0b", 3)), std::nullopt);
  EXPECT_EQ(first_invalid_utf8("\xF4\x8F\xBF\xBF"), std::nullopt);  // U+10FFFF, the last one
}

TEST(Utf8Test, NamesTheFirstByteOfABadSequence) {
  EXPECT_EQ(first_invalid_utf8("ab\xFF"), 2);
  EXPECT_EQ(first_invalid_utf8("\xC0\xAF"), 0);              // overlong
  EXPECT_EQ(first_invalid_utf8("a\xED\xA0\x80z"), 1);        // a surrogate
  EXPECT_EQ(first_invalid_utf8("\u20ac\xE2\x82"), 3);        // cut short at the end
  EXPECT_EQ(first_invalid_utf8("\xE2\x82 euro"), 0);         // cut short in the middle
  EXPECT_EQ(first_invalid_utf8("x\x80"), 1);                 // a continuation without a start
  EXPECT_EQ(first_invalid_utf8("\xF4\x90\x80\x80"), 0);      // beyond U+10FFFF
  EXPECT_EQ(first_invalid_utf8("\xF8\x88\x80\x80\x80"), 0);  // five bytes
}

TEST(Utf8Test, MeasuresTheFirstCodePoint) {
  EXPECT_EQ(code_point_bytes("ab"), 1);
  EXPECT_EQ(code_point_bytes("\u00e9b"), 2);
  EXPECT_EQ(code_point_bytes("\u20ac"), 3);
  EXPECT_EQ(code_point_bytes("\U0001F600\u0301"), 4);
}

TEST(Utf8Test, CountsUtf16UnitsAsJavaScriptDoes) {
  EXPECT_EQ(utf16_units(""), 0);
  EXPECT_EQ(utf16_units("a\u00e9\u20ac"), 3);
  EXPECT_EQ(utf16_units("A\U0001F600B"), 4);
}

}  // namespace
}  // namespace notbad::tokenizer
