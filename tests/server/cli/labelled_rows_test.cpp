#include "server/cli/labelled_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace notbad::cli {
namespace {

Result<std::vector<LabelledRow>> read(const std::string& text) {
  std::istringstream input(text);
  return read_labelled_rows(input, {"negative", "positive"});
}

TEST(LabelledRowsTest, ReadsLabelsByIndexAndByName) {
  const auto rows = read("sentence\tlabel\nfine\t1\nawful\tnegative\n");

  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0].sentence, "fine");
  EXPECT_EQ((*rows)[0].label, 1);
  EXPECT_EQ((*rows)[1].label, 0);
}

TEST(LabelledRowsTest, FindsTheColumnsByTheirNames) {
  const auto rows = read("id\tlabel\tsentence\r\n7\t0\tdull\r\n");

  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->front().sentence, "dull");
  EXPECT_EQ(rows->front().label, 0);
}

TEST(LabelledRowsTest, NamesTheLineAndTheLabelsThatItKnows) {
  const auto rows = read("sentence\tlabel\nfine\t1\nso so\tneutral\n");

  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message, "line 3: expected the label 0 or negative, 1 or positive");
}

TEST(LabelledRowsTest, RefusesARowOfAnotherNumberOfColumns) {
  const auto rows = read("sentence\tlabel\nfine\n");

  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message, "line 2: expected 2 tab-separated columns, found 1");
}

TEST(LabelledRowsTest, AsksForTheHeader) {
  for (const char* text : {"", "fine\t1\n", "sentence\n"}) {
    const auto rows = read(text);

    ASSERT_FALSE(rows) << text;
    EXPECT_THAT(rows.error().message, testing::StartsWith("line 1: expected a header"));
  }
}

}  // namespace
}  // namespace notbad::cli
