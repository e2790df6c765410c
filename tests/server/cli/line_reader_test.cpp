#include "server/cli/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace notbad::cli {
namespace {

std::vector<Line> read_all(const std::string& text, std::size_t max_bytes = 100) {
  std::istringstream input(text);
  LineReader reader(input, max_bytes);
  std::vector<Line> lines;
  for (Line line; reader.next(line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> texts(const std::vector<Line>& lines) {
  std::vector<std::string> result;
  for (const Line& line : lines) result.push_back(line.text);
  return result;
}

TEST(LineReaderTest, GivesEmptyLinesAndALastLineWithoutEnd) {
  EXPECT_THAT(texts(read_all("a\n\nb")), testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(texts(read_all("a\n")), testing::ElementsAre("a"));
  EXPECT_THAT(texts(read_all("")), testing::IsEmpty());
}

TEST(LineReaderTest, DropsTheCarriageReturnOfALineEndOnly) {
  EXPECT_THAT(texts(read_all("a\r\nb\rc\r\n")), testing::ElementsAre("a", "b\rc"));
}

TEST(LineReaderTest, KeepsNulBytes) {
  EXPECT_EQ(read_all(std::string("a\0b\n", 4)).front().text, std::string("a\0b", 3));
}

TEST(LineReaderTest, CutsALineOverTheLimitAndGoesOnBehindIt) {
  const std::vector<Line> lines = read_all("12345678\nnext\n", 4);

  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].text, "1234");
  EXPECT_TRUE(lines[0].is_cut);
  EXPECT_EQ(lines[0].bytes, 9U);
  EXPECT_EQ(lines[1].text, "next");
  EXPECT_FALSE(lines[1].is_cut);
}

}  // namespace
}  // namespace notbad::cli
