#include "server/service/model_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "server/service/classifier_runner.h"
#include "server/service/sentiment_service.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_files.h"

namespace notbad::service {
namespace {

const std::filesystem::path kShipped = test_files::shipped_model();

// The shipped folder by links, so that one file can be replaced.
class ModelBundleTest : public ::testing::Test {
 protected:
  ModelBundleTest() {
    for (const auto& file : std::filesystem::directory_iterator(kShipped))
      std::filesystem::create_symlink(file.path(), folder_.path() / file.path().filename());
  }

  void replace(const std::string& name, const std::string& content) {
    std::filesystem::remove(folder_.path() / name);
    folder_.write(name, content);
  }

  // Replaces the file and gives the manifest its new hash, as a wrong export would.
  void export_wrongly(const std::string& content, const std::string& name,
                      const std::string& sha256) {
    std::ifstream file(folder_.path() / "MANIFEST.sha256");
    std::stringstream manifest;
    for (std::string line; std::getline(file, line);)
      manifest << (line.ends_with(name) ? sha256 + "  " + name : line) << '\n';
    file.close();
    replace(name, content);
    replace("MANIFEST.sha256", manifest.str());
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ModelBundleTest, LoadsTheShippedModelAndClassifies) {
  auto bundle = ModelBundle::load(kShipped);
  ASSERT_TRUE(bundle) << bundle.error().message;
  Batcher batcher(classifier_runners(bundle->classifier, 256), {.batch_tokens = 256});
  const SentimentService service(*bundle, batcher, {});

  const auto answer = service.classify({{"The movie was good", "The movie was bad"}, {}});

  ASSERT_TRUE(answer);
  EXPECT_EQ(bundle->labels[static_cast<std::size_t>(answer->results[0].label)], "positive");
  EXPECT_EQ(bundle->labels[static_cast<std::size_t>(answer->results[1].label)], "negative");
  EXPECT_FALSE(batcher.kernels().empty());
}

TEST_F(ModelBundleTest, RefusesAFileThatChanged) {
  replace("labels.json", R"({"labels": ["no", "yes"]})");

  const auto bundle = ModelBundle::load(folder_.path());

  ASSERT_FALSE(bundle);
  EXPECT_EQ(bundle.error().code, ErrorCode::kBadModelFile);
  EXPECT_THAT(bundle.error().message, ::testing::HasSubstr("labels.json"));
}

TEST_F(ModelBundleTest, RefusesLabelsOfAnotherModel) {
  export_wrongly(R"({"labels": ["a", "b", "c"]})", "labels.json",
                 "0461db32f89abf6c47eea6b97e755a2a565f873c7d8bedae2d3d6da573ce4df8");

  const auto bundle = ModelBundle::load(folder_.path());

  ASSERT_FALSE(bundle);
  EXPECT_THAT(bundle.error().message, ::testing::HasSubstr("number of labels 3"));
}

TEST_F(ModelBundleTest, RefusesATokenizerThatIsNone) {
  export_wrongly("abc", "tokenizer.model",
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

  const auto bundle = ModelBundle::load(folder_.path());

  ASSERT_FALSE(bundle);
  EXPECT_EQ(bundle.error().code, ErrorCode::kBadModelFile);
  EXPECT_THAT(bundle.error().message, ::testing::HasSubstr("tokenizer.model"));
}

}  // namespace
}  // namespace notbad::service
