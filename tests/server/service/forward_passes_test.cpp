#include "server/service/forward_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/server/support/scripted_runner.h"

namespace notbad::service {
namespace {

constexpr auto kNoDeadline = Clock::time_point::max();

class ForwardPassesTest : public testing::Test {
 protected:
  // `count` passes of `length` tokens, the first of which is the pass's number.
  static std::vector<ForwardPass> numbered(std::int32_t count, std::size_t length) {
    std::vector<ForwardPass> passes;
    for (std::int32_t i = 0; i < count; ++i) {
      passes.push_back({std::vector<std::int32_t>(length, 0)});
      passes.back().ids.front() = i;
    }
    return passes;
  }

  Script script_;
};

TEST_F(ForwardPassesTest, AnswersEveryPassInOrder) {
  Batcher batcher(runners_of(script_), {.workers = 2});

  const auto answers = run_passes(batcher, numbered(200, 50), kNoDeadline);

  ASSERT_TRUE(answers);
  ASSERT_EQ(answers->size(), 200U);
  for (std::size_t i = 0; i < answers->size(); ++i)
    EXPECT_EQ((*answers)[i].output.pooled.front(), static_cast<float>(i));
}

TEST_F(ForwardPassesTest, GivesEachPassItsOwnOptions) {
  Batcher batcher(runners_of(script_), {});
  std::vector<ForwardPass> passes = numbered(2, 3);
  passes[1].options.attention = {{0}, {1}};

  const auto answers = run_passes(batcher, passes, kNoDeadline);

  ASSERT_TRUE(answers);
  EXPECT_TRUE((*answers)[0].output.attention.is_empty());
  EXPECT_EQ((*answers)[1].output.attention.shape(), Shape({1, 1, 3, 3}));
}

TEST_F(ForwardPassesTest, LeavesRoomInTheQueue) {
  Batcher batcher(runners_of(script_), {.queue_tokens = 4200});
  std::int64_t most = 0;
  script_.before_run = [&](auto) { most = std::max(most, batcher.queued_tokens()); };

  EXPECT_TRUE(run_passes(batcher, numbered(400, 100), kNoDeadline));
  EXPECT_LE(most, 4096);
}

TEST_F(ForwardPassesTest, FailsAsAWhole) {
  Batcher batcher(runners_of(script_), {.batch_tokens = 10});
  EXPECT_EQ(run_passes(batcher, numbered(2, 11), kNoDeadline).error().code,
            ErrorCode::kInvalidArgument);

  script_.logits = {0.0F, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(run_passes(batcher, numbered(2, 3), kNoDeadline).error().code, ErrorCode::kNonFinite);

  batcher.drain();
  EXPECT_EQ(run_passes(batcher, numbered(2, 3), kNoDeadline).error().code, ErrorCode::kDraining);
}

TEST_F(ForwardPassesTest, CountsTokens) {
  EXPECT_EQ(count_tokens(numbered(3, 7)), 21);
  EXPECT_EQ(count_tokens({}), 0);
}

}  // namespace
}  // namespace notbad::service
