#include "server/api/json_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace notbad::api {
namespace {

TEST(JsonValueTest, KeepsOrderDoublesAndKinds) {
  const auto document = parse_json(R"({"b": [1, 2.5, "x", true, null], "a": {}, "b": -3})");

  ASSERT_TRUE(document);
  const auto& object = std::get<JsonObject>(document->data);
  ASSERT_EQ(object.size(), 3U);
  EXPECT_EQ(object[0].name, "b");
  EXPECT_EQ(object[1].name, "a");
  EXPECT_EQ(object[2].name, "b");
  EXPECT_EQ(std::get<std::int64_t>(object[2].value.data), -3);
  const auto& array = std::get<JsonArray>(object[0].value.data);
  ASSERT_EQ(array.size(), 5U);
  EXPECT_EQ(std::get<std::int64_t>(array[0].data), 1);
  EXPECT_EQ(std::get<double>(array[1].data), 2.5);
  EXPECT_EQ(std::get<std::string>(array[2].data), "x");
  EXPECT_TRUE(std::get<bool>(array[3].data));
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(array[4].data));
}

TEST(JsonValueTest, ReadsAnIntegerBeyond64BitsAsADouble) {
  const auto document = parse_json("12345678901234567890123");

  ASSERT_TRUE(document);
  EXPECT_TRUE(std::holds_alternative<double>(document->data));
}

TEST(JsonValueTest, SkipsAByteOrderMark) { EXPECT_TRUE(parse_json("\xEF\xBB\xBF{}")); }

TEST(JsonValueTest, StopsAtTheDepthLimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };

  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth)));
  const auto deeper = parse_json(nested(kMaxJsonDepth + 1));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().code, ProblemCode::kJsonTooDeep);
  const auto hostile = parse_json(std::string(100'000, '['));
  ASSERT_FALSE(hostile);
  EXPECT_EQ(hostile.error().code, ProblemCode::kJsonTooDeep);
}

struct Refused {
  const char* text;
  ProblemCode code;
};

class RefusedJsonTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusedJsonTest, NamesOnlyThePosition) {
  const auto document = parse_json(GetParam().text);

  ASSERT_FALSE(document) << GetParam().text;
  EXPECT_EQ(document.error().code, GetParam().code) << GetParam().text;
  EXPECT_THAT(document.error().detail, testing::ContainsRegex("from byte [0-9]+ on$"));
}

constexpr ProblemCode kJson = ProblemCode::kInvalidJson;
constexpr ProblemCode kUtf8 = ProblemCode::kInvalidUtf8;
INSTANTIATE_TEST_SUITE_P(
    JsonValueTest, RefusedJsonTest,
    testing::Values(Refused{"", kJson}, Refused{"{", kJson}, Refused{"nul", kJson},
                    Refused{"{\"a\":1,}", kJson}, Refused{"'a'", kJson},
                    Refused{"{} // why", kJson}, Refused{"/* why */ {}", kJson},
                    Refused{"{} {}", kJson}, Refused{"{}x", kJson}, Refused{"NaN", kJson},
                    Refused{"Infinity", kJson}, Refused{"1e999", kJson}, Refused{"01", kJson},
                    Refused{"\"\\ud800\"", kJson}, Refused{"\"\n\"", kJson},
                    Refused{"\"\xFF\"", kUtf8}, Refused{"\"\xC0\xAF\"", kUtf8},
                    Refused{"\"\xED\xA0\x80\"", kUtf8}, Refused{"\"\xE2\x82", kUtf8}));

}  // namespace
}  // namespace notbad::api
