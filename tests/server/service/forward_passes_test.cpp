#include "server/service/forward_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <thread>

#include "tests/server/support/scripted_runner.h"

namespace notbad::service {
namespace {

using std::chrono::milliseconds;

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

  std::int64_t computed() {
    std::int64_t count = 0;
    for (const auto& lengths : script_.seen()) count += std::ssize(lengths);
    return count;
  }

  Script script_;
};

TEST_F(ForwardPassesTest, AnswersEveryPassInOrder) {
  Batcher batcher(runners_of(script_), {.workers = 2});

  const auto answers = run_passes(batcher, numbered(200, 50), kNoDeadline, nullptr);

  ASSERT_TRUE(answers);
  ASSERT_EQ(answers->size(), 200U);
  for (std::size_t i = 0; i < answers->size(); ++i)
    EXPECT_EQ((*answers)[i].output.pooled.front(), static_cast<float>(i));
}

TEST_F(ForwardPassesTest, GivesEachPassItsOwnOptions) {
  Batcher batcher(runners_of(script_), {});
  std::vector<ForwardPass> passes = numbered(2, 3);
  passes[1].options.attention = {{0}, {1}};

  const auto answers = run_passes(batcher, passes, kNoDeadline, nullptr);

  ASSERT_TRUE(answers);
  EXPECT_TRUE((*answers)[0].output.attention.is_empty());
  EXPECT_EQ((*answers)[1].output.attention.shape(), Shape({1, 1, 3, 3}));
}

TEST_F(ForwardPassesTest, LeavesRoomInTheQueue) {
  Batcher batcher(runners_of(script_), {.queue_tokens = 4200});
  std::int64_t most = 0;
  script_.before_run = [&](auto) { most = std::max(most, batcher.queued_tokens()); };

  EXPECT_TRUE(run_passes(batcher, numbered(400, 100), kNoDeadline, nullptr));
  EXPECT_LE(most, 4096);
}

TEST_F(ForwardPassesTest, WaitsForItsOwnAnswersWhereTheQueueIsFull) {
  Batcher batcher(runners_of(script_), {.queue_tokens = 100});

  const auto answers = run_passes(batcher, numbered(200, 50), kNoDeadline, nullptr);

  ASSERT_TRUE(answers) << answers.error().message;
  EXPECT_EQ(answers->back().output.pooled.front(), 199.0F);
}

TEST_F(ForwardPassesTest, FailsAsAWhole) {
  Batcher batcher(runners_of(script_), {.batch_tokens = 10});
  EXPECT_EQ(run_passes(batcher, numbered(2, 11), kNoDeadline, nullptr).error().code,
            ErrorCode::kInvalidArgument);

  script_.logits = {0.0F, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(run_passes(batcher, numbered(2, 3), kNoDeadline, nullptr).error().code,
            ErrorCode::kNonFinite);

  batcher.drain();
  EXPECT_EQ(run_passes(batcher, numbered(2, 3), kNoDeadline, nullptr).error().code,
            ErrorCode::kDraining);
}

// A batch lasts longer than a pass may wait before somebody asks for the caller.
TEST_F(ForwardPassesTest, ComputesNothingMoreOnceTheCallerHasLeft) {
  std::atomic<bool> has_left = false;
  script_.before_run = [&](auto) {
    has_left = true;
    std::this_thread::sleep_for(milliseconds(20));  // the length of a batch
  };
  std::optional<Batcher> batcher(std::in_place, runners_of(script_),
                                 BatcherOptions{.batch_tokens = 10});

  const auto answers =
      run_passes(*batcher, numbered(40, 5), kNoDeadline, [&] { return has_left.load(); });
  batcher.reset();

  EXPECT_FALSE(answers);
  EXPECT_LT(computed(), 20);
}

TEST_F(ForwardPassesTest, ComputesNothingMoreOnceTheDeadlineHasPassed) {
  script_.before_run = [](auto) {
    std::this_thread::sleep_for(milliseconds(100));  // a batch that outlasts the deadline
  };
  std::optional<Batcher> batcher(std::in_place, runners_of(script_),
                                 BatcherOptions{.batch_tokens = 10});

  const auto answers =
      run_passes(*batcher, numbered(40, 5), Clock::now() + milliseconds(50), nullptr);
  batcher.reset();

  ASSERT_FALSE(answers);
  EXPECT_EQ(answers.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_LT(computed(), 20);
}

TEST_F(ForwardPassesTest, CountsTokens) {
  EXPECT_EQ(count_tokens(numbered(3, 7)), 21);
  EXPECT_EQ(count_tokens({}), 0);
}

}  // namespace
}  // namespace notbad::service
