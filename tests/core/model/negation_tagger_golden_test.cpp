#include <gtest/gtest.h>

#include <string>

#include "core/model/classifier.h"
#include "tests/support/golden_files.h"
#include "tests/support/near.h"

namespace notbad::model {
namespace {

using testing::GoldenFile;
using testing::is_near;

constexpr float kTagsTolerance = 2e-5F;
constexpr float kLogitsTolerance = 2e-5F;
constexpr int kNumSequences = 4;  // of 1, 3, 7 and 17 tokens

// The tiny model with negation head and tagger against the PyTorch twin.
class NegationTaggerGoldenTest : public ::testing::TestWithParam<int> {
 protected:
  std::string name(const std::string& stage) const {
    return "golden." + stage + "." + std::to_string(GetParam());
  }
  Tensor golden(const std::string& stage) const { return goldens_.tensor(name(stage)); }

  SequenceOutput classify() const {
    const testing::TinyModelFolder folder("tiny_tagged");
    const auto classifier = Classifier::load(folder.path()).value();
    const auto workspace = classifier->make_workspace(32);
    ForwardOptions options;
    options.wants_negation = true;
    const auto ids = goldens_.ids(name("ids"));
    const SequenceInput input{ids, options};
    return classifier->forward({&input, 1}, *workspace).at(0);
  }

 private:
  GoldenFile goldens_{"tiny_tagged_golden.safetensors"};
};

TEST_P(NegationTaggerGoldenTest, CuesAndScopesAreThoseOfTheTwin) {
  const SequenceOutput output = classify();

  ASSERT_TRUE(output.negation.has_value());
  EXPECT_TRUE(is_near(output.negation->cue, golden("cue"), kTagsTolerance));
  EXPECT_TRUE(is_near(output.negation->scope, golden("scope"), kTagsTolerance));
}

TEST_P(NegationTaggerGoldenTest, LogitsBehindTheNegationHeadAreThoseOfTheTwin) {
  EXPECT_TRUE(is_near(classify().logits, golden("logits").values(), kLogitsTolerance));
}

INSTANTIATE_TEST_SUITE_P(Sequences, NegationTaggerGoldenTest, ::testing::Range(0, kNumSequences));

}  // namespace
}  // namespace notbad::model
