#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/model/classifier.h"
#include "tests/support/golden_files.h"
#include "tests/support/near.h"
#include "tests/support/test_files.h"

namespace notbad::model {
namespace {

constexpr float kLogitsTolerance = 2e-5F;

// What ships, in one packed batch, against the logits that the twin computed when it was exported.
TEST(ShippedModelGoldenTest, LogitsAreThoseOfTheTwin) {
  const auto classifier = Classifier::load(test_files::shipped_model());
  ASSERT_TRUE(classifier.has_value()) << classifier.error().message;
  const testing::GoldenFile goldens("shipped_logits.safetensors");
  std::vector<std::vector<std::int32_t>> sentences;
  std::int64_t num_tokens = 0;  // ΣT
  while (goldens.has("ids." + std::to_string(sentences.size()))) {
    sentences.push_back(goldens.ids("ids." + std::to_string(sentences.size())));
    num_tokens += std::ssize(sentences.back());
  }
  ASSERT_FALSE(sentences.empty());
  const ForwardOptions options;
  std::vector<SequenceInput> batch;
  for (const auto& ids : sentences) batch.push_back({ids, options});

  const auto workspace = (*classifier)->make_workspace(num_tokens);
  const auto outputs = (*classifier)->forward(batch, *workspace);

  for (std::size_t k = 0; k < outputs.size(); ++k) {
    EXPECT_TRUE(testing::is_near(outputs[k].logits,
                                 goldens.tensor("logits." + std::to_string(k)).values(),
                                 kLogitsTolerance))
        << "sentence " << k
        << "; after an export make the goldens again: weights/training/README.md";
  }
}

}  // namespace
}  // namespace notbad::model
