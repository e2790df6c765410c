#include "server/config/model_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_files.h"

namespace notbad::config {
namespace {

TEST(ModelDirectoryTest, LooksBesideTheProgramThenWhereItIsInstalled) {
  const auto candidates = model_candidates("/somewhere/bin/notbad-server");

  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[0], "/somewhere/bin/model");
  EXPECT_EQ(candidates[1], "/somewhere/share/notbad/model");
  EXPECT_EQ(candidates[2], test_files::shipped_model());
}

TEST(ModelDirectoryTest, TakesTheFirstThatHoldsAModel) {
  const testing::TemporaryFolder empty;
  const testing::TemporaryFolder first;
  const testing::TemporaryFolder second;
  first.write("config.json", "{}");
  second.write("config.json", "{}");

  const auto found = first_model({empty.path(), first.path(), second.path()});

  ASSERT_TRUE(found);
  EXPECT_EQ(*found, first.path());
}

TEST(ModelDirectoryTest, NamesAllPlacesAndTheRemedy) {
  const auto found = first_model({"/nowhere/a", "/nowhere/b"});

  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kBadModelFile);
  for (const char* part : {"/nowhere/a", "/nowhere/b", "--model"})
    EXPECT_THAT(found.error().message, ::testing::HasSubstr(part));
}

TEST(ModelDirectoryTest, BelievesTheUser) {
  const auto found = find_model_directory("/nowhere/given");

  ASSERT_TRUE(found);
  EXPECT_EQ(*found, "/nowhere/given");
}

}  // namespace
}  // namespace notbad::config
