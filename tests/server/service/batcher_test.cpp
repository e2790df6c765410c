#include "server/service/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/server/support/scripted_runner.h"

namespace notbad::service {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

using Lengths = std::vector<std::int64_t>;

Job job_of(const Lengths& lengths, std::int32_t first_id = 0) {
  Job job;
  for (const std::int64_t length : lengths)
    job.sequences.emplace_back(static_cast<std::size_t>(length), first_id++);
  return job;
}

// One worker that stands at a gate with a batch of one token, so that the test decides what waits.
class BatcherTest : public testing::Test {
 protected:
  void hold_worker(BatcherOptions options) {
    options.workers = 1;
    script_.before_run = [this](auto) { gate_.pass(); };
    batcher_.emplace(runners_of(script_), options);
    held_.emplace(*batcher_->submit(job_of({1})));
    gate_.await_worker();
  }

  ~BatcherTest() override { gate_.open(); }

  Gate gate_;
  Script script_;
  std::optional<Batcher> batcher_;
  std::optional<Ticket> held_;
};

TEST_F(BatcherTest, AnswersTheSequencesOfAJobInOrder) {
  Batcher batcher(runners_of(script_), {.workers = 2, .batch_tokens = 8, .queue_tokens = 100});

  auto answers = batcher.submit(job_of({3, 5, 2, 7}, 40))->wait();

  ASSERT_TRUE(answers);
  ASSERT_EQ(answers->size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ((*answers)[i].output.pooled.front(), 40.0F + static_cast<float>(i));
}

TEST_F(BatcherTest, PacksWhatWaitsUpToTheTokenBudget) {
  hold_worker({.batch_tokens = 10});
  auto first = batcher_->submit(job_of({4}));
  auto second = batcher_->submit(job_of({4}));
  auto third = batcher_->submit(job_of({4}));

  gate_.open();

  ASSERT_TRUE(first->wait() && second->wait() && third->wait());
  EXPECT_THAT(script_.seen(), ElementsAre(Lengths{1}, Lengths{4, 4}, Lengths{4}));
}

TEST_F(BatcherTest, TakesASequenceOfEachJobInTurn) {
  hold_worker({.batch_tokens = 10});
  auto large = batcher_->submit(job_of({4, 5, 5, 5}));
  auto small = batcher_->submit(job_of({6}));

  gate_.open();

  ASSERT_TRUE(large->wait() && small->wait());
  EXPECT_THAT(script_.seen(), ElementsAre(Lengths{1}, Lengths{4, 6}, Lengths{5, 5}, Lengths{5}));
}

TEST_F(BatcherTest, LetsALongSequenceOpenTheNextBatch) {
  hold_worker({.batch_tokens = 10});
  auto first = batcher_->submit(job_of({4}));
  auto long_one = batcher_->submit(job_of({9}));
  auto last = batcher_->submit(job_of({4}));

  gate_.open();

  ASSERT_TRUE(first->wait() && long_one->wait() && last->wait());
  EXPECT_THAT(script_.seen(), ElementsAre(Lengths{1}, Lengths{4}, Lengths{9}, Lengths{4}));
}

TEST_F(BatcherTest, RefusesWhenQueueIsFull) {
  hold_worker({.batch_tokens = 10, .queue_tokens = 10});
  auto waiting = batcher_->submit(job_of({4, 4}));

  const auto refused = batcher_->submit(job_of({1, 2}));
  auto fitting = batcher_->submit(job_of({2}));

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOverloaded);
  EXPECT_EQ(batcher_->queued_tokens(), 10);
  gate_.open();
  EXPECT_TRUE(waiting->wait() && fitting->wait());
  EXPECT_EQ(batcher_->queued_tokens(), 0);
}

TEST_F(BatcherTest, RefusesWhatCouldNeverBeScheduled) {
  Batcher batcher(runners_of(script_), {.workers = 1, .batch_tokens = 10, .queue_tokens = 25});

  const auto too_long = batcher.submit(job_of({11}));
  const auto too_many = batcher.submit(job_of({9, 9, 9}));

  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(too_long.error().message, testing::HasSubstr("11 tokens"));
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(too_many.error().message, testing::HasSubstr("27 tokens"));
}

TEST_F(BatcherTest, RefusesNewJobsWhileDrainingAndFinishesTheOldOnes) {
  hold_worker({});
  auto queued = batcher_->submit(job_of({4}));

  batcher_->drain();
  const auto refused = batcher_->submit(job_of({4}));
  gate_.open();
  batcher_.reset();

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kDraining);
  EXPECT_TRUE(queued->wait());
  EXPECT_TRUE(held_->wait());
}

TEST_F(BatcherTest, DropsASequenceWhoseDeadlineHasPassed) {
  hold_worker({});
  Job late = job_of({4});
  late.deadline = Clock::now() + milliseconds(20);
  auto ticket = batcher_->submit(std::move(late));

  const auto answer = ticket->wait();
  gate_.open();
  batcher_.reset();

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_THAT(script_.seen(), ElementsAre(Lengths{1}));
}

TEST_F(BatcherTest, DropsASequenceWhoseCallerHasLeft) {
  hold_worker({});
  {
    const auto abandoned = batcher_->submit(job_of({4}));
  }
  auto kept = batcher_->submit(job_of({5}));

  gate_.open();

  EXPECT_TRUE(kept->wait());
  EXPECT_THAT(script_.seen(), ElementsAre(Lengths{1}, Lengths{5}));
  EXPECT_EQ(batcher_->queued_tokens(), 0);
}

TEST_F(BatcherTest, AsksWhetherTheCallerIsStillThereBeforeItComputes) {
  std::vector<DropReason> drops;
  hold_worker({.events = {.on_drop = [&](DropReason reason) { drops.push_back(reason); }}});
  Job left = job_of({4, 5});
  left.has_caller_left = [] { return true; };
  Job there = job_of({6});
  there.has_caller_left = [] { return false; };
  auto nobody = batcher_->submit(std::move(left));
  auto somebody = batcher_->submit(std::move(there));
  std::this_thread::sleep_for(milliseconds(10));  // who has only just come is not asked

  gate_.open();

  EXPECT_TRUE(somebody->wait());
  EXPECT_FALSE(nobody->wait());
  EXPECT_THAT(script_.seen(), ElementsAre(Lengths{1}, Lengths{6}));
  batcher_.reset();
  EXPECT_THAT(drops, ElementsAre(DropReason::kAbandoned, DropReason::kAbandoned));
}

TEST_F(BatcherTest, FailsTheBadSequenceOfABatchAlone) {
  hold_worker({.batch_tokens = 100});
  auto good = batcher_->submit(job_of({4}));
  auto bad = batcher_->submit(job_of({3}));
  auto other = batcher_->submit(job_of({5}));
  script_.before_run = [](auto batch) {
    if (std::ranges::any_of(batch, [](auto& input) { return input.ids.size() == 3; }))
      throw std::runtime_error("this text is a secret");
  };

  gate_.open();
  const auto failure = bad->wait();

  EXPECT_TRUE(good->wait());
  EXPECT_TRUE(other->wait());
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error().code, ErrorCode::kInternal);
  EXPECT_THAT(failure.error().message, testing::Not(testing::HasSubstr("secret")));
}

TEST_F(BatcherTest, ThrowsWhatARunnerFactoryThrows) {
  const RunnerFactory broken = []() -> std::unique_ptr<BatchRunner> {
    throw std::runtime_error("no memory for a workspace");
  };

  EXPECT_THROW(Batcher(broken, {.workers = 3}), std::runtime_error);
}

TEST_F(BatcherTest, SaysHowLongASequenceWaited) {
  hold_worker({});
  auto ticket = batcher_->submit(job_of({4}));

  std::this_thread::sleep_for(milliseconds(30));  // the time that is measured
  gate_.open();
  const auto answers = ticket->wait();

  ASSERT_TRUE(answers);
  EXPECT_GE(answers->front().queued, milliseconds(30));
  EXPECT_GT(answers->front().computed.count(), 0);
}

TEST_F(BatcherTest, ReportsBatchesAndDrops) {
  std::vector<std::int64_t> batches;  // one worker writes both, and is gone when they are read
  std::vector<DropReason> drops;
  hold_worker({.events = {.on_batch = [&](std::int64_t tokens) { batches.push_back(tokens); },
                          .on_drop = [&](DropReason reason) { drops.push_back(reason); }}});
  auto good = batcher_->submit(job_of({4, 5}));
  auto bad = batcher_->submit(job_of({3}));
  {
    const auto abandoned = batcher_->submit(job_of({7}));
  }
  Job late = job_of({8});
  late.deadline = Clock::now();
  auto too_late = batcher_->submit(std::move(late));
  script_.before_run = [](auto batch) {
    if (std::ranges::any_of(batch, [](auto& input) { return input.ids.size() == 3; }))
      throw std::runtime_error("a bad sequence");
  };

  gate_.open();
  batcher_.reset();

  EXPECT_THAT(batches, ElementsAre(1, 4, 5));  // the bad one was never computed
  EXPECT_THAT(drops, ElementsAre(DropReason::kAbandoned, DropReason::kDeadline));
}

TEST_F(BatcherTest, KnowsHowLongAWorkerHasBeenAtItsBatch) {
  hold_worker({});

  std::this_thread::sleep_for(milliseconds(30));  // the time that is measured
  const auto during = batcher_->longest_batch();
  gate_.open();
  ASSERT_TRUE(held_->wait());
  for (int i = 0; i < 1000 && batcher_->longest_batch().count() > 0; ++i)
    std::this_thread::sleep_for(milliseconds(1));  // the answer comes before the worker is free

  EXPECT_GE(during, milliseconds(30));
  EXPECT_EQ(batcher_->longest_batch().count(), 0);
}

TEST_F(BatcherTest, AnswersManyThreadsAtOnce) {
  Batcher batcher(runners_of(script_), {.workers = 3, .batch_tokens = 32});
  std::vector<std::thread> callers;
  std::atomic<int> answered = 0;

  for (std::int32_t caller = 0; caller < 8; ++caller)
    callers.emplace_back([&batcher, &answered, caller] {
      for (std::int32_t i = 0; i < 50; ++i) {
        const std::int32_t id = caller * 1000 + i;
        const auto answers = batcher.submit(job_of({1 + i % 20}, id))->wait();
        if (answers && answers->front().output.pooled.front() == static_cast<float>(id)) ++answered;
      }
    });
  for (auto& caller : callers) caller.join();

  EXPECT_EQ(answered, 8 * 50);
}

}  // namespace
}  // namespace notbad::service
