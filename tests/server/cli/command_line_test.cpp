#include "server/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace notbad::cli {
namespace {

using testing::HasSubstr;

using Arguments = std::vector<std::string>;

template <class Kind>
Kind parsed(const Arguments& arguments) {
  const auto command = parse_command_line(arguments);
  if (!command) throw std::runtime_error(command.error().message);
  return std::get<Kind>(*command);
}

std::string error_of(const Arguments& arguments) {
  const auto command = parse_command_line(arguments);
  return command ? "no error" : command.error().message;
}

const std::vector<Arguments> kPages = {
    {"--help"}, {"classify", "--help"}, {"evaluate", "-h"}, {"show", "--help"}};

TEST(CommandLineTest, ReadsEachCommandWithItsDefaults) {
  EXPECT_EQ(parsed<ClassifyArguments>({"classify"}).file, "-");
  EXPECT_EQ(parsed<EvaluateArguments>({"evaluate", "rows.tsv"}).file, "rows.tsv");
  const auto show = parsed<ShowArguments>({"show", "The movie was not bad"});
  EXPECT_EQ(show.text, "The movie was not bad");
  EXPECT_EQ(show.heads, 2);
  EXPECT_EQ(show.model.folder, "");
  EXPECT_EQ(show.model.workers, 0);
}

TEST(CommandLineTest, ReadsTheOptionsOfEachCommand) {
  const auto show =
      parsed<ShowArguments>({"show", "--heads=5", "--model", "there", "--workers", "3", "fine"});
  EXPECT_EQ(show.heads, 5);
  EXPECT_EQ(show.model.folder, "there");
  EXPECT_EQ(show.model.workers, 3);
  EXPECT_EQ(parsed<ClassifyArguments>({"classify", "--workers", "2", "texts"}).model.workers, 2);
  EXPECT_EQ(show.model.dtype, ops::Dtype::kF32);
  EXPECT_EQ(parsed<ClassifyArguments>({"classify", "--dtype", "auto"}).model.dtype,
            ops::fastest_dtype());
  EXPECT_EQ(parsed<EvaluateArguments>({"evaluate", "--model", "m", "rows"}).model.folder, "m");
}

TEST(CommandLineTest, TakesASentenceThatLooksLikeAnOption) {
  EXPECT_EQ(parsed<ShowArguments>({"show", "--", "--heads"}).text, "--heads");
}

TEST(CommandLineTest, NamesWhatIsWrong) {
  EXPECT_THAT(error_of({}), HasSubstr("expected classify, evaluate or show, found nothing"));
  EXPECT_THAT(error_of({"clasify"}), HasSubstr("found 'clasify'"));
  EXPECT_THAT(error_of({"--nope"}), HasSubstr("found '--nope'"));
  EXPECT_THAT(error_of({"show", "--nope", "fine"}), HasSubstr("--nope"));
  EXPECT_THAT(error_of({"show"}), HasSubstr("text is required"));
  EXPECT_THAT(error_of({"evaluate"}), HasSubstr("file is required"));
  EXPECT_THAT(error_of({"classify", "--workers", "0"}), HasSubstr("--workers"));
  EXPECT_THAT(error_of({"classify", "--dtype", "f16"}),
              HasSubstr("--dtype: expected one of f32, bf16, int8, auto, found 'f16'"));
  EXPECT_THAT(error_of({"show", "--heads", "x", "fine"}), HasSubstr("--heads"));
}

TEST(CommandLineTest, PrintsItsVersion) {
  EXPECT_THAT(parsed<PrintText>({"--version"}).text,
              testing::ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+\n$"));
}

TEST(CommandLineTest, HasAManualForEveryCommandWithEveryExitCode) {
  for (const Arguments& page : kPages) {
    const std::string text = parsed<PrintText>(page).text;
    for (const char* title :
         {"NAME\n", "SYNOPSIS\n", "DESCRIPTION\n", "OPTIONS\n", "EXIT STATUS\n", "EXAMPLES\n"})
      EXPECT_THAT(text, HasSubstr(title)) << page.front();
    for (const char* code : {"0", "1", "2", "3"})
      EXPECT_THAT(text, HasSubstr(std::string("\n       ") + code + "  ")) << page.front();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(CommandLineTest, ExplainsEveryFlagInItsManual) {
  for (const char* command : {"classify", "evaluate", "show"}) {
    const std::string text = parsed<PrintText>({command, "--help"}).text;
    EXPECT_THAT(text, HasSubstr("--model FOLDER "));
    EXPECT_THAT(text, HasSubstr("--workers N "));
  }
  const std::string show = parsed<PrintText>({"show", "--help"}).text;
  EXPECT_THAT(show, HasSubstr("--heads N "));
  EXPECT_THAT(show, HasSubstr("NO_COLOR "));
  EXPECT_THAT(show, HasSubstr("COLUMNS "));
}

}  // namespace
}  // namespace notbad::cli
