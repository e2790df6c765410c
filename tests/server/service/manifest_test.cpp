#include "server/service/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/without_privileges.h"

namespace notbad::service {
namespace {

// SHA-256 of "abc" and of nothing, from the standard.
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

class ManifestTest : public ::testing::Test {
 protected:
  ManifestTest() {
    folder_.write("weights", "abc");
    folder_.write("labels", "");
    folder_.write("MANIFEST.sha256",
                  std::string(kOfAbc) + "  weights\n" + kOfNothing + " *labels\n");
  }

  void expect_refusal(const std::string& message) {
    const auto identity = verify_manifest(folder_.path(), {"weights", "labels"});

    ASSERT_FALSE(identity);
    EXPECT_EQ(identity.error().code, ErrorCode::kBadModelFile);
    EXPECT_THAT(identity.error().message, ::testing::HasSubstr(message));
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ManifestTest, AcceptsAFolderThatIsAsItWasExported) {
  const auto identity = verify_manifest(folder_.path(), {"weights", "labels"});

  ASSERT_TRUE(identity) << identity.error().message;
  EXPECT_EQ(identity->size(), 64U);
}

TEST_F(ManifestTest, GivesAnotherIdentityToAnotherFolder) {
  const auto before = verify_manifest(folder_.path(), {});
  folder_.write("MANIFEST.sha256", std::string(kOfAbc) + "  weights\n");

  const auto after = verify_manifest(folder_.path(), {});

  ASSERT_TRUE(before && after);
  EXPECT_NE(*before, *after);
}

TEST_F(ManifestTest, NamesAFileWithOneBitFlipped) {
  folder_.write("weights", "abb");
  expect_refusal("weights: changed");
}

TEST_F(ManifestTest, NamesAMissingFile) {
  std::filesystem::remove(folder_.path() / "weights");
  expect_refusal("weights: missing");
}

TEST_F(ManifestTest, NamesAMissingManifest) {
  std::filesystem::remove(folder_.path() / "MANIFEST.sha256");
  expect_refusal("MANIFEST.sha256: missing");
}

TEST_F(ManifestTest, NamesARequiredFileThatIsNotListed) {
  folder_.write("MANIFEST.sha256", std::string(kOfAbc) + "  weights\n");
  expect_refusal("labels is not listed");
}

TEST_F(ManifestTest, RefusesADirectoryInPlaceOfAFile) {
  std::filesystem::remove(folder_.path() / "weights");
  std::filesystem::create_directory(folder_.path() / "weights");
  expect_refusal("not a regular file");
}

TEST_F(ManifestTest, RefusesAFifoWithoutWaitingForAWriter) {
  std::filesystem::remove(folder_.path() / "weights");
  ASSERT_EQ(mkfifo((folder_.path() / "weights").c_str(), 0600), 0);
  expect_refusal("not a regular file");
}

TEST_F(ManifestTest, RefusesALinkThatEndsInItself) {
  std::filesystem::remove(folder_.path() / "weights");
  std::filesystem::create_symlink("weights", folder_.path() / "weights");
  expect_refusal("weights: missing or not a regular file");
}

TEST_F(ManifestTest, RefusesAnEmptyManifest) {
  folder_.write("MANIFEST.sha256", "");
  expect_refusal("weights is not listed");
}

TEST_F(ManifestTest, RefusesAFileThatItMayNotRead) {
  std::filesystem::permissions(folder_.path() / "weights", std::filesystem::perms::none);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  const testing::WithoutPrivileges unprivileged;

  expect_refusal("weights: cannot be read");
}

TEST_F(ManifestTest, RefusesAListedFileOutsideTheFolder) {
  folder_.write("MANIFEST.sha256", std::string(kOfAbc) + "  ../weights\n");
  expect_refusal("outside");
}

TEST_F(ManifestTest, NamesTheLineThatIsNoEntry) {
  folder_.write("MANIFEST.sha256", std::string(kOfAbc) + "  weights\nBA78  labels\n");
  expect_refusal("line 2");
}

}  // namespace
}  // namespace notbad::service
