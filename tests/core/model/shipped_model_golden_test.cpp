#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/model/classifier.h"
#include "tests/support/golden_files.h"
#include "tests/support/near.h"
#include "tests/support/test_files.h"

namespace notbad::model {
namespace {

float tolerance_of(ops::Dtype dtype) {
  switch (dtype) {
    case ops::Dtype::kF32:
      return 2e-5F;
    case ops::Dtype::kBf16:
      return 0.02F;
    case ops::Dtype::kInt8:
      break;
  }
  return 0.1F;
}

// What ships, in one packed batch, against the logits that the twin computed when it was exported.
class ShippedModelGoldenTest : public ::testing::TestWithParam<ops::Dtype> {};

TEST_P(ShippedModelGoldenTest, LogitsAreThoseOfTheTwin) {
  if (!ops::is_supported(GetParam())) GTEST_SKIP() << "not on this processor";
  const auto classifier = Classifier::load(test_files::shipped_model(), GetParam());
  ASSERT_TRUE(classifier.has_value()) << classifier.error().message;
  EXPECT_EQ((*classifier)->dtype(), GetParam());
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
                                 tolerance_of(GetParam())))
        << "sentence " << k
        << "; after an export make the goldens again: weights/training/README.md";
  }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, ShippedModelGoldenTest, ::testing::ValuesIn(ops::kDtypes),
                         [](const auto& test) { return std::string(ops::name_of(test.param)); });

}  // namespace
}  // namespace notbad::model
