#include "server/cli/map_drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/tensor/tensor.h"

namespace notbad::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<AxisLabel> numbered_labels(std::int64_t count) {
  std::vector<AxisLabel> labels;
  for (std::int64_t i = 0; i < count; ++i) labels.push_back({"w" + std::to_string(i)});
  return labels;
}

std::int64_t longest_line(const std::string& text) {
  std::int64_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, display_width(line));
  return longest;
}

std::string draw(std::int64_t tokens, const Terminal& terminal) {
  const Tensor map({tokens, tokens});
  return draw_map(map.matrix(), numbered_labels(tokens), terminal);
}

TEST(MapDrawingTest, WritesPercentUnderTheNamesOfTheColumns) {
  const Tensor map({2, 2}, {0.25F, 0.75F, 1.0F, 0.0F});
  const std::vector<AxisLabel> labels = {{.text = "not", .is_cue = true},
                                         {.text = "bad", .is_target = true}};

  EXPECT_EQ(draw_map(map.matrix(), labels, {.width = 80}),
            "      ¬not >bad\n"
            "¬not    25   75\n"
            ">bad   100    0\n");
}

TEST(MapDrawingTest, NumbersTheColumnsWhereTheirNamesDoNotFit) {
  const std::string drawing = draw(12, {.width = 60});

  EXPECT_THAT(drawing, HasSubstr("   0   1   2"));
  EXPECT_THAT(drawing, HasSubstr(" 11 w11"));
  EXPECT_LE(longest_line(drawing), 60);
}

TEST(MapDrawingTest, ShadesWhereNumbersDoNotFit) {
  const Tensor map({20, 20}, std::vector<float>(400, 0.5F));

  const std::string drawing = draw_map(map.matrix(), numbered_labels(20), {.width = 40});

  EXPECT_THAT(drawing, HasSubstr(std::string(20, '=')));
  EXPECT_LE(longest_line(drawing), 40);
}

TEST(MapDrawingTest, SaysWhichColumnsDoNotFitAtAll) {
  const std::string drawing = draw(50, {.width = 40});

  EXPECT_THAT(drawing, HasSubstr(" to 49 do not fit"));
  EXPECT_LE(longest_line(drawing.substr(0, drawing.find('('))), 40);
}

TEST(MapDrawingTest, UsesEscapeSequencesOnlyWhereColourIsWelcome) {
  EXPECT_THAT(draw(3, {.width = 80, .has_colour = true}), HasSubstr("\033["));
  EXPECT_THAT(draw(3, {.width = 80, .has_colour = false}), Not(HasSubstr("\033[")));
}

}  // namespace
}  // namespace notbad::cli
