#include "core/model/negation_tagger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/model/weight_spec.h"
#include "core/model/workspace.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"
#include "tests/support/tiny_classifier.h"

namespace notbad::model {
namespace {

using testing::all_attention;
using testing::are_equal;
using ::testing::HasSubstr;
using testing::is_near;
using testing::kSentences;
using ::testing::Not;
using testing::Outputs;

constexpr float kTolerance = 1e-5F;

ForwardOptions with_negation() {
  ForwardOptions options;
  options.wants_negation = true;
  return options;
}

// The tiny model with a tagger of rank 3 on layer 0.
class NegationTaggerTest : public testing::TinyClassifierTest {
 protected:
  NegationTaggerTest() {
    classifier_ = load_tiny("tiny_tagged");
    workspace_ = classifier_->make_workspace(kMaxTokens);
  }
};

TEST_F(NegationTaggerTest, IsTheSlowTwin) {
  const ModelConfig& config = classifier_->config();
  const auto store = WeightStore::open(testing::golden_path("tiny_tagged_model.safetensors"),
                                       weight_specs(config));
  ASSERT_TRUE(store.has_value());
  const NegationTagger tagger(*store, *config.tagger);
  const Tensor hidden = testing::random_tensor(3, {5, config.d_model});

  const NegationTags tags = tagger.tag(tagger.project(hidden.matrix(), *workspace_), *workspace_);

  const auto linear = [&](const std::string& name) {
    const LinearWeights weights = store->linear("tagger." + name);
    return testing::reference_linear(hidden.matrix(), weights.weight.widened(), weights.bias);
  };
  const Tensor query = linear("query");  // [T, R]
  const Tensor key = linear("key");      // [T, R]
  Tensor scope({5, 5});
  for (std::int64_t t = 0; t < 5; ++t) {
    for (std::int64_t c = 0; c < 5; ++c) {
      double product = 0.0;
      for (std::int64_t r = 0; r < 3; ++r) {
        product += testing::at(query.matrix(), t, r) * testing::at(key.matrix(), c, r);
      }
      scope.matrix().row(t)[static_cast<std::size_t>(c)] =
          static_cast<float>(product / std::sqrt(3.0));
    }
  }
  EXPECT_TRUE(is_near(tags.cue, linear("cue"), kTolerance));
  EXPECT_TRUE(is_near(tags.scope, scope, kTolerance));
}

TEST_F(NegationTaggerTest, TagsEverySentenceOfABatchAsIfItWereAlone) {
  const Outputs together = classify(kSentences, with_negation());

  for (std::size_t i = 0; i < kSentences.size(); ++i) {
    const SequenceOutput alone = classify_one(kSentences[i], with_negation());
    ASSERT_TRUE(together[i].negation && alone.negation);
    EXPECT_TRUE(is_near(together[i].negation->cue, alone.negation->cue, kTolerance)) << i;
    EXPECT_TRUE(is_near(together[i].negation->scope, alone.negation->scope, kTolerance)) << i;
    EXPECT_TRUE(is_near(together[i].logits, alone.logits, kTolerance)) << i;
  }
}

TEST_F(NegationTaggerTest, TagsOnlyThoseOfABatchThatAsk) {
  const ForwardOptions silent;
  const ForwardOptions asking = with_negation();
  const std::vector<SequenceInput> batch = {{kSentences[0], silent}, {kSentences[3], asking}};

  const Outputs outputs = classifier_->forward(batch, *workspace_);

  EXPECT_FALSE(outputs[0].negation.has_value());
  ASSERT_TRUE(outputs[1].negation.has_value());
  EXPECT_EQ(outputs[1].negation->scope.shape(), (Shape{3, 3}));
}

TEST_F(NegationTaggerTest, ChangesNoAnswer) {
  const SequenceOutput silent = classify_one(long_sentence_, all_attention());
  ForwardOptions options = all_attention();
  options.wants_negation = true;

  EXPECT_TRUE(are_equal(classify_one(long_sentence_, options), silent));
}

TEST_F(NegationTaggerTest, SeesWhatInterventionsMakeOfTheState) {
  ForwardOptions options = with_negation();
  const NegationTags plain = *classify_one(long_sentence_, options).negation;
  options.interventions = {HeadOff{.layer = 0, .head = 1}};
  const NegationTags changed = *classify_one(long_sentence_, options).negation;
  options.interventions = {HeadOff{.layer = 1, .head = 1}};  // behind the layer that it reads
  const NegationTags later = *classify_one(long_sentence_, options).negation;

  EXPECT_FALSE(is_near(changed.cue, plain.cue, 1e-3F));
  EXPECT_TRUE(std::ranges::equal(later.scope.values(), plain.scope.values()));
}

TEST_F(NegationTaggerTest, OfAModelWithoutOneSaysNothing) {
  classifier_ = load_tiny();
  workspace_ = classifier_->make_workspace(kMaxTokens);

  EXPECT_FALSE(classify_one(long_sentence_, with_negation()).negation.has_value());
}

TEST_F(NegationTaggerTest, MakesNoPrimitiveAfterTheWorkspaceIsMadeAndUsesFastKernels) {
  const std::int64_t prepared = workspace_->executor.num_primitives();
  for (std::int32_t length = 1; length <= 32; ++length) {
    classify({testing::Ids(static_cast<std::size_t>(length), length)}, with_negation());
  }

  EXPECT_EQ(workspace_->executor.num_primitives(), prepared);
  EXPECT_THAT(workspace_->executor.kernel_names(), Not(::testing::Contains(HasSubstr("ref"))));
}

// With every link forbidden but that to the first token, all heads rest on it.
TEST_F(NegationTaggerTest, TheNegationHeadAddsNothingWhereItRestsOnTheFirstToken) {
  ForwardOptions resting;
  resting.mask = Tensor({17, 17});
  for (std::int64_t row = 0; row < 17; ++row) resting.mask->matrix().row(row).front() = 1.0F;
  ForwardOptions off = resting;
  off.interventions = {HeadOff{.layer = 0, .head = 2}};
  ForwardOptions other_off = resting;
  other_off.interventions = {HeadOff{.layer = 0, .head = 1}};

  const auto logits = classify_one(long_sentence_, resting).logits;

  EXPECT_EQ(classify_one(long_sentence_, off).logits, logits);
  EXPECT_FALSE(is_near(classify_one(long_sentence_, other_off).logits, logits, 1e-3F));
}

}  // namespace
}  // namespace notbad::model
