#include "core/model/forward_checks.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace notbad::model {
namespace {

constexpr std::int64_t kMaxRows = 8;

class ForwardChecksTest : public ::testing::Test {
 protected:
  ForwardChecksTest() {
    config_.vocab_size = 10;
    config_.num_heads = 4;
    config_.num_layers = 2;
    config_.max_positions = 6;
  }

  void check_one(const std::vector<std::int32_t>& ids, const ForwardOptions& options = {}) const {
    const SequenceInput input{ids, options};
    check_batch({&input, 1}, config_, kMaxRows);
  }

  void check_intervention(const Intervention& intervention) const {
    check_one({1, 2, 3}, {.attention = {}, .interventions = {intervention}, .mask = {}});
  }

  ModelConfig config_;
};

TEST_F(ForwardChecksTest, AcceptTheLimits) {
  EXPECT_NO_THROW(check_one({0, 9, 0, 9, 0, 9}));
  EXPECT_NO_THROW(check_one({0}, {.attention = {{1}, {3}}, .interventions = {}, .mask = {}}));
  EXPECT_NO_THROW(check_intervention(HeadOff{.layer = 1, .head = 3}));
  EXPECT_NO_THROW(check_intervention(CutLink{.layer = 1, .head = 3, .from = 2, .to = 2}));
}

TEST_F(ForwardChecksTest, RefuseLengthsOutsideTheModel) {
  EXPECT_THROW(check_one({}), std::logic_error);
  EXPECT_THROW(check_one({0, 0, 0, 0, 0, 0, 0}), std::logic_error);
}

TEST_F(ForwardChecksTest, RefuseIdsOutsideTheVocabulary) {
  EXPECT_THROW(check_one({10}), std::logic_error);
  EXPECT_THROW(check_one({-1}), std::logic_error);
}

TEST_F(ForwardChecksTest, RefuseMoreTokensThanTheWorkspaceHolds) {
  const std::vector<std::int32_t> ids(5, 0);
  const ForwardOptions none;
  const std::vector<SequenceInput> batch(2, SequenceInput{ids, none});

  EXPECT_NO_THROW(check_batch(batch, config_, 10));
  EXPECT_THROW(check_batch(batch, config_, 9), std::logic_error);
}

TEST_F(ForwardChecksTest, RefuseCapturingWhatTheModelLacks) {
  EXPECT_THROW(check_one({0}, {.attention = {{2}, {0}}, .interventions = {}, .mask = {}}),
               std::logic_error);
  EXPECT_THROW(check_one({0}, {.attention = {{0}, {4}}, .interventions = {}, .mask = {}}),
               std::logic_error);
  EXPECT_THROW(check_one({0}, {.attention = {{-1}, {0}}, .interventions = {}, .mask = {}}),
               std::logic_error);
}

TEST_F(ForwardChecksTest, RefuseInterventionsOutsideTheModelOrTheSequence) {
  EXPECT_THROW(check_intervention(HeadOff{.layer = 2, .head = 0}), std::logic_error);
  EXPECT_THROW(check_intervention(HeadUniform{.layer = 0, .head = -1}), std::logic_error);
  EXPECT_THROW(check_intervention(CutLink{.layer = 0, .head = 0, .from = 3, .to = 0}),
               std::logic_error);
  EXPECT_THROW(check_intervention(CutLink{.layer = 0, .head = 0, .from = 0, .to = 3}),
               std::logic_error);
}

TEST_F(ForwardChecksTest, RefuseAMaskOfAnotherLength) {
  EXPECT_THROW(check_one({0, 0}, {.attention = {}, .interventions = {}, .mask = Tensor({2, 3})}),
               std::logic_error);
}

}  // namespace
}  // namespace notbad::model
