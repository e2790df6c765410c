#include "server/service/batcher.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace notbad::service {
namespace {

struct Sequence {
  std::vector<std::int32_t> ids;
  std::promise<Result<SequenceAnswer>> promise;
  std::int64_t num_tokens() const { return static_cast<std::int64_t>(ids.size()); }
};

tl::unexpected<Error> deadline_exceeded() {
  return fail(ErrorCode::kDeadlineExceeded,
              "the time for this request ran out before the answer: send less or allow more time");
}

tl::unexpected<Error> too_large(const char* what, std::int64_t tokens, std::int64_t limit) {
  return fail(ErrorCode::kInvalidArgument, "a " + std::string(what) + " of " +
                                               std::to_string(tokens) + " tokens exceeds the " +
                                               std::to_string(limit) + " that this server takes");
}

}  // namespace

struct JobGroup {
  model::ForwardOptions options;
  Clock::time_point deadline;
  Clock::time_point queued_at;
  std::function<bool()> has_caller_left;
  std::atomic<bool> is_abandoned = false;  // the caller has let go of its ticket, or has left
  std::deque<Sequence> waiting;            // guarded by Batcher::mutex_

  bool is_dead(Clock::time_point now) {
    // An answer that comes at once reaches even a client that has closed its sending side already.
    constexpr std::chrono::milliseconds kPatience{5};
    if (!is_abandoned && has_caller_left && now - queued_at > kPatience && has_caller_left())
      is_abandoned = true;
    return is_abandoned || deadline <= now;
  }
};

struct Batcher::Item {
  Sequence sequence;
  std::shared_ptr<JobGroup> job;
  Clock::time_point taken_at;
  bool is_late() const { return job->deadline <= taken_at; }
};

struct Batcher::Taken {
  std::vector<Item> batch;
  std::vector<Item> dropped;
};

Ticket::Ticket(std::shared_ptr<JobGroup> group,
               std::vector<std::future<Result<SequenceAnswer>>> sequences)
    : group_(std::move(group)), sequences_(std::move(sequences)) {}

Ticket::~Ticket() {
  if (group_) group_->is_abandoned = true;
}

Result<std::vector<SequenceAnswer>> Ticket::wait() {
  std::vector<SequenceAnswer> answers;
  answers.reserve(sequences_.size());
  const bool has_deadline = group_->deadline != Clock::time_point::max();
  for (auto& sequence : sequences_) {
    // Waiting until the end of time would overflow inside the standard library.
    if (!has_deadline) sequence.wait();
    if (has_deadline && sequence.wait_until(group_->deadline) != std::future_status::ready)
      return deadline_exceeded();
    Result<SequenceAnswer> answer = sequence.get();
    if (!answer) return tl::unexpected(std::move(answer.error()));
    answers.push_back(std::move(*answer));
  }
  return answers;
}

Batcher::Batcher(const RunnerFactory& make_runner, const BatcherOptions& options)
    : options_(options),
      busy_since_(static_cast<std::size_t>(options.workers)),
      preparing_(options.workers) {
  check(options.workers > 0 && options.batch_tokens > 0 && options.queue_tokens > 0,
        "Batcher: expected positive options");
  for (std::size_t i = 0; i < busy_since_.size(); ++i)
    workers_.emplace_back([this, i, make_runner] { work(i, make_runner); });
  std::unique_lock lock(mutex_);
  workers_prepared_.wait(lock, [this] { return preparing_ == 0; });
  if (!failure_) return;
  lock.unlock();
  stop();
  std::rethrow_exception(failure_);
}

Batcher::~Batcher() { stop(); }

void Batcher::stop() {
  drain();
  for (auto& worker : workers_) worker.join();
}

void Batcher::drain() {
  {
    const std::lock_guard lock(mutex_);
    is_draining_ = true;
  }
  work_arrived_.notify_all();
}

std::int64_t Batcher::queued_tokens() const {
  const std::lock_guard lock(mutex_);
  return queued_tokens_;
}

std::chrono::nanoseconds Batcher::longest_batch() const {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  std::chrono::nanoseconds longest{};
  for (const auto& since : busy_since_)
    if (since) longest = std::max<std::chrono::nanoseconds>(longest, now - *since);
  return longest;
}

std::vector<std::string> Batcher::kernels() const {
  const std::lock_guard lock(mutex_);
  return kernels_;
}

Result<Ticket> Batcher::submit(Job job) {
  check(!job.sequences.empty(), "Batcher: expected a job with at least one sequence");
  auto group = std::make_shared<JobGroup>();
  group->options = std::move(job.options);
  group->deadline = job.deadline;
  group->has_caller_left = std::move(job.has_caller_left);
  group->queued_at = Clock::now();
  std::vector<std::future<Result<SequenceAnswer>>> futures;
  std::int64_t tokens = 0;
  for (auto& ids : job.sequences) {
    Sequence& sequence = group->waiting.emplace_back(Sequence{std::move(ids), {}});
    futures.push_back(sequence.promise.get_future());
    check(sequence.num_tokens() > 0, "Batcher: expected sequences with at least one token");
    if (sequence.num_tokens() > options_.batch_tokens)
      return too_large("text", sequence.num_tokens(), options_.batch_tokens);
    tokens += sequence.num_tokens();
  }
  if (tokens > options_.queue_tokens) return too_large("request", tokens, options_.queue_tokens);
  {
    const std::lock_guard lock(mutex_);
    if (is_draining_)
      return fail(ErrorCode::kDraining, "this server is shutting down: ask another one");
    if (queued_tokens_ + tokens > options_.queue_tokens)
      return fail(ErrorCode::kOverloaded, "too much work is waiting: try again after a pause");
    queued_tokens_ += tokens;
    jobs_.push_back(group);
  }
  work_arrived_.notify_all();
  return Ticket(std::move(group), std::move(futures));
}

void Batcher::work(std::size_t worker, const RunnerFactory& make_runner) {
  const std::unique_ptr<BatchRunner> runner = prepare(make_runner);
  while (runner) {
    Taken taken = take(worker);
    report_drops(taken.dropped);
    if (!taken.batch.empty()) run(taken.batch, *runner);
    if (taken.batch.empty() && taken.dropped.empty()) return;
  }
}

// Null where the factory failed; the constructor then throws what it threw.
std::unique_ptr<BatchRunner> Batcher::prepare(const RunnerFactory& make_runner) {
  std::unique_ptr<BatchRunner> runner;
  std::exception_ptr failure;
  try {
    runner = make_runner();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  if (failure) failure_ = failure;
  if (runner && kernels_.empty()) kernels_ = runner->kernels();
  if (--preparing_ == 0) workers_prepared_.notify_one();
  return runner;
}

// Nobody hears of an abandoned one any more.
void Batcher::report_drops(std::vector<Item>& dropped) const {
  for (Item& item : dropped) {
    options_.events.on_drop(item.is_late() ? DropReason::kDeadline : DropReason::kAbandoned);
    item.sequence.promise.set_value(deadline_exceeded());
  }
}

// Nothing taken and nothing dropped means that the batcher is drained.
Batcher::Taken Batcher::take(std::size_t worker) {
  Taken taken;
  std::unique_lock lock(mutex_);
  busy_since_[worker].reset();
  work_arrived_.wait(lock, [this] { return is_draining_ || !jobs_.empty(); });
  const auto now = Clock::now();
  std::int64_t budget = options_.batch_tokens;
  while (!jobs_.empty() && take_next(taken, budget, now)) {
  }
  busy_since_[worker] = now;
  return taken;
}

// Takes one sequence of the job whose turn it is and sends the job to the back; a sequence that
// nobody waits for costs no budget. False once the next one does not fit: it then opens the next
// batch, so that a long text is never overtaken for good.
bool Batcher::take_next(Taken& taken, std::int64_t& budget, Clock::time_point now) {
  const std::shared_ptr<JobGroup> job = jobs_.front();
  const std::int64_t tokens = job->waiting.front().num_tokens();
  const bool is_dead = job->is_dead(now);
  if (!is_dead && tokens > budget) return false;

  auto& destination = is_dead ? taken.dropped : taken.batch;
  destination.push_back(Item{std::move(job->waiting.front()), job, now});
  job->waiting.pop_front();
  jobs_.pop_front();
  if (!job->waiting.empty()) jobs_.push_back(job);
  queued_tokens_ -= tokens;
  if (!is_dead) budget -= tokens;
  return true;
}

// A batch that throws is tried again item by item, so that one bad item fails alone.
void Batcher::run(std::vector<Item>& batch, BatchRunner& runner) const {
  std::vector<model::SequenceInput> inputs;
  inputs.reserve(batch.size());
  std::int64_t tokens = 0;
  for (const Item& item : batch) {
    inputs.push_back({item.sequence.ids, item.job->options});
    tokens += item.sequence.num_tokens();
  }
  try {
    const auto start = Clock::now();
    std::vector<model::SequenceOutput> outputs = runner.run(inputs);
    const auto computed = Clock::now() - start;
    check(outputs.size() == batch.size(), "Batcher: expected one output a sequence");
    options_.events.on_batch(tokens);
    for (std::size_t i = 0; i < batch.size(); ++i)
      batch[i].sequence.promise.set_value(SequenceAnswer{
          std::move(outputs[i]), batch[i].taken_at - batch[i].job->queued_at, computed});
    return;
  } catch (const std::exception& bug) {
    spdlog::error("a batch of {} failed: {}", batch.size(), bug.what());
  } catch (...) {
    spdlog::error("a batch of {} failed with an unknown exception", batch.size());
  }
  if (batch.size() == 1) {
    batch.front().sequence.promise.set_value(
        fail(ErrorCode::kInternal, "the model failed on this text; the server's log says why"));
    return;
  }
  for (Item& item : batch) {
    std::vector<Item> alone;
    alone.push_back(std::move(item));
    run(alone, runner);
  }
}

}  // namespace notbad::service
