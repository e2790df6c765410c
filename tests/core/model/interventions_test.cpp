#include "core/model/interventions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/random_model.h"
#include "tests/support/tiny_classifier.h"

namespace notbad::model {
namespace {

using testing::all_attention;
using testing::are_equal;
using testing::Ids;
using testing::is_near;
using testing::kSentences;
using testing::Outputs;

// What the experiments do to the answer of a whole model.
class InterventionsTest : public testing::TinyClassifierTest {
 protected:
  // Random weights of the tiny shape, to be changed before use_weights().
  std::map<std::string, Tensor> weights_ = testing::random_weights(classifier_->config());

  void use_weights() {
    const testing::TemporaryFolder folder;
    testing::write_model(folder, classifier_->config(), weights_);
    classifier_ = Classifier::load(folder.path()).value();
  }
};

TEST_F(InterventionsTest, HeadOffChangesTheAnswerAndKeepsItsMap) {
  const SequenceOutput plain = classify_one(long_sentence_, all_attention());

  const SequenceOutput off = classify_with(long_sentence_, {HeadOff{.layer = 1, .head = 2}});

  EXPECT_FALSE(is_near(off.logits, plain.logits, 1e-3F));
  EXPECT_TRUE(std::ranges::equal(off.attention.values(), plain.attention.values()));
}

TEST_F(InterventionsTest, EveryHeadHasAnEffectOfItsOwn) {
  std::vector<std::vector<float>> answers;
  for (std::int64_t layer = 0; layer < 2; ++layer) {
    for (std::int64_t head = 0; head < 4; ++head) {
      answers.push_back(classify_with(long_sentence_, {HeadOff{layer, head}}).logits);
    }
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(is_near(answers[i], answers[j], 1e-4F));
  }
}

TEST_F(InterventionsTest, CuttingEveryLinkIsHeadOff) {
  std::vector<Intervention> cuts;
  for (std::int64_t from = 0; from < 17; ++from) {
    for (std::int64_t to = 0; to < 17; ++to) {
      cuts.push_back(CutLink{.layer = 0, .head = 3, .from = from, .to = to});
    }
  }

  const SequenceOutput cut = classify_with(long_sentence_, cuts);

  const SequenceOutput off = classify_with(long_sentence_, {HeadOff{.layer = 0, .head = 3}});
  EXPECT_EQ(cut.logits, off.logits);
}

TEST_F(InterventionsTest, CuttingALinkOfWeightZeroChangesNothing) {
  ForwardOptions options = all_attention();
  options.mask = Tensor({3, 3}, {1, 0, 1, 1, 1, 1, 1, 1, 1});
  const SequenceOutput plain = classify_one(kSentences[3], options);

  options.interventions = {CutLink{.layer = 0, .head = 0, .from = 0, .to = 1}};

  EXPECT_TRUE(are_equal(classify_one(kSentences[3], options), plain));
}

// Without queries every score of head 1 is 0: it attends to all tokens equally by itself.
TEST_F(InterventionsTest, UniformOnAUniformHeadChangesNothing) {
  for (const std::size_t feature : {4U, 5U, 6U, 7U}) {
    const auto row = static_cast<std::int64_t>(feature);
    std::ranges::fill(weights_.at("encoder.layer.0.attention.query.weight").matrix().row(row), 0);
    weights_.at("encoder.layer.0.attention.query.bias").values()[feature] = 0.0F;
  }
  use_weights();

  const auto plain = classify_one(long_sentence_).logits;

  EXPECT_TRUE(is_near(classify_with(long_sentence_, {HeadUniform{0, 1}}).logits, plain, 1e-6F));
  EXPECT_FALSE(is_near(classify_with(long_sentence_, {HeadUniform{0, 2}}).logits, plain, 1e-3F));
}

TEST_F(InterventionsTest, UniformShowsInTheMapOfItsHeadOnly) {
  const Tensor plain = classify_one(long_sentence_, all_attention()).attention;

  const Tensor uniform =
      classify_with(long_sentence_, {HeadUniform{.layer = 1, .head = 1}}).attention;

  constexpr std::size_t kMap = 17 * 17;
  constexpr std::size_t kChanged = 1 * 4 + 1;
  for (std::size_t map = 0; map < 8; ++map) {
    const auto values = uniform.values().subspan(map * kMap, kMap);
    if (map == kChanged) {
      EXPECT_THAT(values, ::testing::Each(1.0F / 17.0F));
    } else {
      EXPECT_TRUE(std::ranges::equal(values, plain.values().subspan(map * kMap, kMap))) << map;
    }
  }
}

TEST_F(InterventionsTest, AHeadWithoutOutputWeightsMayBeOff) {
  // [D, D]: what head 2 hands to the output stands in its columns 8 to 11.
  MatrixView output = weights_.at("encoder.layer.0.attention.output.weight").matrix();
  for (std::int64_t row = 0; row < output.rows(); ++row) {
    std::ranges::fill(output.cols_from(8, 4).row(row), 0.0F);
  }
  use_weights();

  const auto plain = classify_one(long_sentence_).logits;

  EXPECT_TRUE(is_near(classify_with(long_sentence_, {HeadOff{0, 2}}).logits, plain, 1e-6F));
  EXPECT_FALSE(is_near(classify_with(long_sentence_, {HeadOff{0, 1}}).logits, plain, 1e-3F));
}

TEST_F(InterventionsTest, OptionsOfOneSequenceTouchNoOther) {
  const Outputs plain = classify(kSentences, {});
  const ForwardOptions none;
  ForwardOptions changed = all_attention();
  changed.interventions = {HeadOff{.layer = 0, .head = 0}, HeadUniform{.layer = 1, .head = 3},
                           CutLink{.layer = 1, .head = 2, .from = 5, .to = 1}};
  std::vector<SequenceInput> batch;
  for (const Ids& ids : kSentences) {
    batch.push_back({ids, &ids == &kSentences[2] ? changed : none});
  }

  const Outputs mixed = classifier_->forward(batch, *workspace_);

  for (const std::size_t i : {0U, 1U, 3U}) EXPECT_TRUE(are_equal(mixed[i], plain[i])) << i;
  EXPECT_FALSE(is_near(mixed[2].logits, plain[2].logits, 1e-3F));
}

}  // namespace
}  // namespace notbad::model
