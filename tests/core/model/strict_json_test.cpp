#include "core/model/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace notbad::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kDepth = 3;

std::string refusal(std::string_view text) {
  const auto parsed = parse_strict_json(text, "the.json", kDepth);
  if (parsed.has_value()) return "no refusal";
  EXPECT_EQ(parsed.error().code, ErrorCode::kBadModelFile);
  return parsed.error().message;
}

TEST(StrictJsonTest, ParsesNestedObjects) {
  const auto parsed = parse_strict_json(R"( {"a": {"b": [1, 2]}, "b": 3} )", "the.json", kDepth);

  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ((*parsed)["a"]["b"][1], 2);
}

TEST(StrictJsonTest, RefusesAMemberGivenTwiceAndNamesIt) {
  EXPECT_THAT(refusal(R"({"a": 1, "b": 2, "a": 3})"),
              AllOf(StartsWith("the.json: "), HasSubstr("\"a\" twice"), HasSubstr("export")));
  EXPECT_THAT(refusal(R"({"x": {"a": 1, "a": 1}})"), HasSubstr("\"a\" twice"));
}

TEST(StrictJsonTest, LetsSiblingsHaveTheSameMember) {
  EXPECT_TRUE(
      parse_strict_json(R"({"x": {"a": 1}, "y": {"a": 1}})", "the.json", kDepth).has_value());
}

TEST(StrictJsonTest, RefusesDeepNesting) {
  EXPECT_TRUE(parse_strict_json("[[[]]]", "the.json", kDepth).has_value());
  EXPECT_THAT(refusal("[[[[]]]]"), HasSubstr("nested too deeply"));
  EXPECT_THAT(refusal(std::string(1 << 20, '[')), HasSubstr("nested too deeply"));
}

TEST(StrictJsonTest, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "{\"a\":}", "nul", "{} {}", "\"\xff\"", "{'a': 1}", "[1,]",
                           "NaN", "// comment\n1"}) {
    EXPECT_THAT(refusal(text), HasSubstr("not valid JSON")) << text;
  }
}

TEST(StrictJsonTest, RefusesNumbersOutOfRange) {
  EXPECT_THAT(refusal("[1e999]"), HasSubstr("out of range"));
}

TEST(StrictJsonTest, QuotesHostileNamesForMessages) {
  EXPECT_EQ(quote_name("a\"b\n"), R"("a\"b\n")");
  EXPECT_THAT(quote_name(std::string(1000, 'x')), ::testing::SizeIs(::testing::Lt(100U)));
  EXPECT_NO_THROW(quote_name("\xff\xfe"));
}

}  // namespace
}  // namespace notbad::model
