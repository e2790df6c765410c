#include "core/model/mapped_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <utility>

#include "tests/support/temporary_folder.h"
#include "tests/support/without_privileges.h"

namespace notbad::model {
namespace {

using ::testing::HasSubstr;

class MappedFileTest : public ::testing::Test {
 protected:
  std::string refusal(const std::string& name) const {
    const auto file = MappedFile::open(folder_.path() / name);
    if (file.has_value()) return "no refusal";
    EXPECT_EQ(file.error().code, ErrorCode::kBadModelFile);
    EXPECT_THAT(file.error().message, HasSubstr(name));
    return file.error().message;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(MappedFileTest, GivesTheBytes) {
  folder_.write("some.bin", "abc");

  const auto file = MappedFile::open(folder_.path() / "some.bin");

  ASSERT_TRUE(file.has_value());
  ASSERT_EQ(file->bytes().size(), 3U);
  EXPECT_EQ(file->bytes()[2], std::byte{'c'});
}

TEST_F(MappedFileTest, KeepsTheBytesWhenMoved) {
  folder_.write("some.bin", "abc");
  auto file = MappedFile::open(folder_.path() / "some.bin");
  ASSERT_TRUE(file.has_value());

  const MappedFile moved = std::move(*file);

  EXPECT_EQ(moved.bytes()[0], std::byte{'a'});
}

TEST_F(MappedFileTest, RefusesAMissingFile) {
  EXPECT_THAT(refusal("absent.bin"), HasSubstr("No such file"));
}

TEST_F(MappedFileTest, RefusesAnEmptyFile) {
  folder_.write("empty.bin", "");

  EXPECT_THAT(refusal("empty.bin"), HasSubstr("is empty"));
}

TEST_F(MappedFileTest, RefusesAFolder) {
  std::filesystem::create_directory(folder_.path() / "folder");

  EXPECT_THAT(refusal("folder"), HasSubstr("not a regular file"));
}

TEST_F(MappedFileTest, RefusesAPipeWithoutHanging) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);

  EXPECT_THAT(refusal("pipe"), HasSubstr("not a regular file"));
}

TEST_F(MappedFileTest, RefusesALinkThatEndsInItself) {
  std::filesystem::create_symlink("loop", folder_.path() / "loop");

  EXPECT_THAT(refusal("loop"), HasSubstr("cannot be opened"));
}

TEST_F(MappedFileTest, RefusesALinkToNothing) {
  std::filesystem::create_symlink("absent.bin", folder_.path() / "dangling");

  EXPECT_THAT(refusal("dangling"), HasSubstr("No such file"));
}

TEST_F(MappedFileTest, RefusesADevice) {
  std::filesystem::create_symlink("/dev/null", folder_.path() / "device");

  EXPECT_THAT(refusal("device"), HasSubstr("not a regular file"));
}

TEST_F(MappedFileTest, RefusesAFileThatItMayNotRead) {
  folder_.write("secret.bin", "abc");
  std::filesystem::permissions(folder_.path() / "secret.bin", std::filesystem::perms::none);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  const testing::WithoutPrivileges unprivileged;

  EXPECT_THAT(refusal("secret.bin"), HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace notbad::model
