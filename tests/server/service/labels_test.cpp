#include "server/service/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace notbad::service {
namespace {

TEST(LabelsTest, KeepsTheOrderOfTheLogits) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("labels.json", R"({"labels": ["bad", "fine", "good"]})");

  const auto labels = read_labels(file);

  ASSERT_TRUE(labels);
  EXPECT_THAT(*labels, ::testing::ElementsAre("bad", "fine", "good"));
}

TEST(LabelsTest, NamesAMissingFile) {
  const testing::TemporaryFolder folder;

  const auto labels = read_labels(folder.path() / "labels.json");

  ASSERT_FALSE(labels);
  EXPECT_EQ(labels.error().code, ErrorCode::kBadModelFile);
  EXPECT_THAT(labels.error().message, ::testing::HasSubstr("labels.json"));
}

class BadLabelsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(BadLabelsTest, AreRefused) {
  const testing::TemporaryFolder folder;

  const auto labels = read_labels(folder.write("labels.json", GetParam()));

  ASSERT_FALSE(labels);
  EXPECT_EQ(labels.error().code, ErrorCode::kBadModelFile);
}

INSTANTIATE_TEST_SUITE_P(LabelsTest, BadLabelsTest,
                         ::testing::Values("", "{", "[]", "{}", R"({"labels": []})",
                                           R"({"labels": "good"})", R"({"labels": ["good", 1]})",
                                           R"({"labels": ["good", ""]})",
                                           R"({"labels": ["good", "good"]})",
                                           R"({"labels": ["bad", "good"], "more": 1})"));

}  // namespace
}  // namespace notbad::service
