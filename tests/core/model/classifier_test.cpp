#include "core/model/classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/model/workspace.h"
#include "tests/support/golden_files.h"
#include "tests/support/near.h"
#include "tests/support/random_model.h"
#include "tests/support/tiny_classifier.h"

namespace notbad::model {
namespace {

using testing::all_attention;
using ::testing::AllOf;
using testing::are_equal;
using ::testing::HasSubstr;
using testing::Ids;
using testing::is_near;
using testing::kSentences;
using testing::Outputs;

constexpr float kBatchTolerance = 1e-5F;

using ClassifierTest = testing::TinyClassifierTest;

TEST_F(ClassifierTest, ABatchRowIsTheSentenceAlone) {
  const Outputs together = classify(kSentences, all_attention());

  for (std::size_t i = 0; i < kSentences.size(); ++i) {
    const SequenceOutput alone = classify_one(kSentences[i], all_attention());
    EXPECT_TRUE(is_near(together[i].logits, alone.logits, kBatchTolerance)) << i;
    EXPECT_TRUE(is_near(together[i].pooled, alone.pooled, kBatchTolerance)) << i;
    EXPECT_TRUE(is_near(together[i].attention, alone.attention, kBatchTolerance)) << i;
  }
}

TEST_F(ClassifierTest, PermutingTheBatchPermutesTheAnswer) {
  const Outputs forward = classify(kSentences, all_attention());

  const Outputs backward = classify({kSentences.rbegin(), kSentences.rend()}, all_attention());

  for (std::size_t i = 0; i < kSentences.size(); ++i) {
    const SequenceOutput& same = backward[kSentences.size() - 1 - i];
    EXPECT_TRUE(is_near(same.logits, forward[i].logits, kBatchTolerance)) << i;
    EXPECT_TRUE(is_near(same.attention, forward[i].attention, kBatchTolerance)) << i;
  }
}

TEST_F(ClassifierTest, AttentionRowsSumToOne) {
  for (const SequenceOutput& output : classify(kSentences, all_attention())) {
    const ConstMatrixView rows = output.attention.matrix();
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
      const auto weights = rows.row(row);
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0F), 1.0F, 1e-6F);
    }
  }
}

TEST_F(ClassifierTest, TwoRunsAreBitEqual) {
  const Outputs first = classify(kSentences, all_attention());
  classify({{1, 2, 3}, {4}}, {});  // other content in the same scratch memory

  const Outputs second = classify(kSentences, all_attention());

  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(are_equal(first[i], second[i])) << i;
}

TEST_F(ClassifierTest, TheLongestBatchLeavesNoTrace) {
  const SequenceOutput before = classify_one(long_sentence_);
  const Ids longest(32, 39);
  classify({longest, longest}, {});

  EXPECT_TRUE(are_equal(classify_one(long_sentence_), before));
}

TEST_F(ClassifierTest, CapturingChangesNothingElse) {
  const SequenceOutput plain = classify_one(long_sentence_);
  SequenceOutput captured = classify_one(long_sentence_, all_attention());

  captured.attention = {};
  EXPECT_TRUE(are_equal(captured, plain));
}

TEST_F(ClassifierTest, HandsBackTheLayersAndHeadsAskedInTheirOrder) {
  const Tensor all = classify_one(kSentences[0], all_attention()).attention;  // [2, 4, T, T]
  const ForwardOptions some{.attention = {{1, 0, 1}, {3, 1}}, .interventions = {}, .mask = {}};

  const Tensor asked = classify_one(kSentences[0], some).attention;

  ASSERT_EQ(asked.shape(), (Shape{3, 2, 6, 6}));
  constexpr std::int64_t kMap = 36;  // T * T
  const auto map_of = [&](const Tensor& maps, std::int64_t index) {
    return maps.values().subspan(static_cast<std::size_t>(index * kMap), kMap);
  };
  EXPECT_TRUE(std::ranges::equal(map_of(asked, 0), map_of(all, 1 * 4 + 3)));
  EXPECT_TRUE(std::ranges::equal(map_of(asked, 3), map_of(all, 0 * 4 + 1)));
  EXPECT_TRUE(std::ranges::equal(map_of(asked, 4), map_of(all, 1 * 4 + 3)));
}

TEST_F(ClassifierTest, EmptyListsHandBackNothing) {
  for (const AttentionSelection& selection :
       {AttentionSelection{{}, {0}}, AttentionSelection{{0}, {}}, AttentionSelection{}}) {
    const ForwardOptions options{.attention = selection, .interventions = {}, .mask = {}};
    EXPECT_TRUE(classify_one(long_sentence_, options).attention.is_empty());
  }
}

TEST_F(ClassifierTest, ProbabilitiesAreTheSoftmaxOfTheLogits) {
  const SequenceOutput output = classify_one(long_sentence_);

  const float difference = output.logits.at(1) - output.logits.at(0);
  EXPECT_NEAR(output.probabilities.at(1), 1.0F / (1.0F + std::exp(-difference)), 1e-6F);
  EXPECT_NEAR(output.probabilities.at(0) + output.probabilities.at(1), 1.0F, 1e-6F);
}

TEST_F(ClassifierTest, AMaskThatAllowsEverythingChangesNothing) {
  Tensor mask({17, 17});
  std::ranges::fill(mask.values(), 1.0F);
  const ForwardOptions options{.attention = {}, .interventions = {}, .mask = std::move(mask)};

  EXPECT_TRUE(are_equal(classify_one(long_sentence_, options), classify_one(long_sentence_)));
}

TEST_F(ClassifierTest, AMaskThatForbidsEverythingStillAnswers) {
  const ForwardOptions options{.attention = {}, .interventions = {}, .mask = Tensor({17, 17})};

  const SequenceOutput output = classify_one(long_sentence_, options);

  EXPECT_TRUE(std::ranges::all_of(output.logits, [](float logit) { return std::isfinite(logit); }));
  EXPECT_FALSE(are_equal(output, classify_one(long_sentence_)));
}

TEST_F(ClassifierTest, FirstPoolingTakesTheFirstToken) {
  ModelConfig config = classifier_->config();
  const auto weights = testing::random_weights(config);
  const testing::TemporaryFolder mean;
  testing::write_model(mean, config, weights);
  config.pooling = Pooling::kFirst;
  const testing::TemporaryFolder first;
  testing::write_model(first, config, weights);

  classifier_ = Classifier::load(mean.path()).value();
  const auto mean_of_one = classify_one(kSentences[1]).pooled;
  const auto mean_of_many = classify_one(long_sentence_).pooled;
  classifier_ = Classifier::load(first.path()).value();

  EXPECT_EQ(classify_one(kSentences[1]).pooled, mean_of_one);
  EXPECT_FALSE(is_near(classify_one(long_sentence_).pooled, mean_of_many, 1e-3F));
}

TEST_F(ClassifierTest, MakesNoPrimitiveAfterTheWorkspaceIsMade) {
  const std::int64_t prepared = workspace_->executor.num_primitives();
  for (std::int32_t length = 1; length <= 32; ++length) {
    const Ids ids(static_cast<std::size_t>(length), length);
    classify({ids}, all_attention());
    classify({ids, Ids(32, 1)}, all_attention());
  }

  EXPECT_EQ(workspace_->executor.num_primitives(), prepared);
}

TEST_F(ClassifierTest, UsesFastKernelsOnly) {
  EXPECT_THAT(workspace_->executor.kernel_names(),
              AllOf(::testing::Not(::testing::IsEmpty()),
                    ::testing::Not(::testing::Contains(HasSubstr("ref")))));
}

TEST_F(ClassifierTest, AnswersTheSameOnManyThreads) {
  const Outputs expected = classify(kSentences, all_attention());
  std::vector<Outputs> results(4);
  std::vector<std::thread> threads;
  for (Outputs& result : results) {
    threads.emplace_back([&] {
      const WorkspacePtr own = classifier_->make_workspace(kMaxTokens);
      const ForwardOptions options = all_attention();
      std::vector<SequenceInput> batch;
      for (const Ids& ids : kSentences) batch.push_back({ids, options});
      for (int run = 0; run < 20; ++run) result = classifier_->forward(batch, *own);
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (const Outputs& result : results) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(are_equal(result[i], expected[i]));
    }
  }
}

TEST_F(ClassifierTest, AnswersNothingToAnEmptyBatch) { EXPECT_TRUE(classify({}, {}).empty()); }

TEST_F(ClassifierTest, RefusesAWorkspaceWithoutRoom) {
  EXPECT_THROW(classifier_->make_workspace(0), std::logic_error);
}

TEST_F(ClassifierTest, LoadNamesTheFileThatIsMissing) {
  const testing::TemporaryFolder folder;
  const auto nothing = Classifier::load(folder.path());
  ASSERT_FALSE(nothing.has_value());
  EXPECT_EQ(nothing.error().code, ErrorCode::kBadModelFile);
  EXPECT_THAT(nothing.error().message, HasSubstr("config.json"));

  folder.write("config.json", testing::config_json(classifier_->config()));
  const auto no_weights = Classifier::load(folder.path());
  ASSERT_FALSE(no_weights.has_value());
  EXPECT_THAT(no_weights.error().message, HasSubstr("model.safetensors"));
}

TEST_F(ClassifierTest, LoadRefusesWeightsOfAnotherConfig) {
  const testing::TinyModelFolder folder;
  ModelConfig other = classifier_->config();
  other.d_ff = 64;
  std::ofstream(folder.path() / "config.json") << testing::config_json(other);

  const auto loaded = Classifier::load(folder.path());

  ASSERT_FALSE(loaded.has_value());
  EXPECT_THAT(loaded.error().message,
              AllOf(HasSubstr("feed_forward"), HasSubstr("[64, 16]"), HasSubstr("[32, 16]")));
}

}  // namespace
}  // namespace notbad::model
