#include "server/config/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <sstream>

namespace notbad::config {
namespace {

using testing::HasSubstr;
using testing::Not;

class ManualTest : public testing::Test {
 protected:
  std::string page(const Manual& manual) {
    set_manual(app_, manual);
    return app_.help();
  }

  CLI::App app_{"does a thing", "program"};
  int number_ = 0;
};

TEST_F(ManualTest, HasItsSectionsInTheUsualOrder) {
  app_.add_option("input", number_, "what to read")->type_name("INPUT")->required();
  app_.add_option("-n,--number", number_, "how many")->type_name("N");

  EXPECT_EQ(page({.description = "Does it well.",
                  .environment = {{"HOME", "where"}},
                  .exit_codes = {{"0", "done"}},
                  .examples = {{"program 1", "do it once"}}}),
            R"(NAME
       program - does a thing

SYNOPSIS
       program [OPTION...] INPUT

DESCRIPTION
       Does it well.

OPTIONS
       INPUT           what to read
       -h, --help      Print this help message and exit
       -n, --number N  how many

ENVIRONMENT
       HOME   where

EXIT STATUS
       0      done

EXAMPLES
       program 1  do it once
)");
}

TEST_F(ManualTest, LeavesOutWhatThereIsNothingToSayAbout) {
  EXPECT_THAT(page({}), Not(HasSubstr("ENVIRONMENT")));
}

TEST_F(ManualTest, NamesTheCommandsAndTheirArguments) {
  CLI::App& command = *app_.add_subcommand("read", "reads");
  command.add_option("file", number_, "a file")->type_name("FILE");

  const std::string text = page({});

  EXPECT_THAT(text, HasSubstr("       program read [OPTION...] [FILE]\n"));
  EXPECT_THAT(text, HasSubstr("       read            reads\n"));
}

TEST_F(ManualTest, StaysWithinEightyColumns) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word" + std::to_string(i) + ' ';
  app_.add_option("--quite-a-long-name", number_, words)->type_name("NUMBER");

  std::istringstream lines(
      page({.description = words,
            .environment = {{"A_VARIABLE_WITH_A_NAME_LONGER_THAN_THE_INDENT", words}},
            .exit_codes = {{"0", words}},
            .examples = {}}));

  int longest = 0;
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, static_cast<int>(line.size()));
  EXPECT_LE(longest, 80);
  EXPECT_GT(longest, 70);
}

}  // namespace
}  // namespace notbad::config
