#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/result.h"
#include "core/model/forward_options.h"
#include "server/service/batch_runner.h"

namespace notbad::service {

using Clock = std::chrono::steady_clock;

// Why a sequence that waited is not computed.
enum class DropReason { kDeadline, kAbandoned };

// Called by the workers, for who counts; must be quick and may be called by several at once.
struct BatchEvents {
  std::function<void(std::int64_t tokens)> on_batch = [](std::int64_t) {};  // computed
  std::function<void(DropReason)> on_drop = [](DropReason) {};              // of each sequence
};

struct BatcherOptions {
  std::int64_t workers = 1;           // threads that compute, each with a runner of its own
  std::int64_t batch_tokens = 1024;   // ΣT of one forward pass: larger packs better, answers later
  std::int64_t queue_tokens = 16384;  // tokens that may wait; beyond it requests are refused
  BatchEvents events{};
};

// The sequences of one request; they share options and deadline.
struct Job {
  std::vector<std::vector<std::int32_t>> sequences;  // [T] each, none empty
  model::ForwardOptions options;
  Clock::time_point deadline = Clock::time_point::max();
  // Asked by a worker before it computes what has waited, at any time and under a lock; may be
  // empty. Who has left gets no answer.
  std::function<bool()> has_caller_left = nullptr;
};

struct SequenceAnswer {
  model::SequenceOutput output;
  std::chrono::nanoseconds queued{};    // from submit() until a worker took it
  std::chrono::nanoseconds computed{};  // the forward pass of the batch that it rode in
};

struct JobGroup;  // a job inside the batcher

// The caller's end of a job. Letting go of it drops what has not been computed yet. It may outlive
// the batcher.
class Ticket {
 public:
  Ticket(std::shared_ptr<JobGroup> group,
         std::vector<std::future<Result<SequenceAnswer>>> sequences);
  Ticket(Ticket&&) noexcept = default;
  Ticket& operator=(Ticket&&) = delete;
  ~Ticket();

  // Blocks until every sequence has an answer or one has failed, at most until the job's deadline;
  // to be called once. Fails with kDeadlineExceeded or kInternal.
  Result<std::vector<SequenceAnswer>> wait();

 private:
  std::shared_ptr<JobGroup> group_;
  std::vector<std::future<Result<SequenceAnswer>>> sequences_;
};

// Groups waiting sequences and runs them on worker threads. There is no timer: a free worker takes
// what is queued, a sequence of each job in turn, up to the token budget. Any thread may submit.
class Batcher {
 public:
  // Returns once every worker has its runner; what a factory throws comes out here.
  Batcher(const RunnerFactory& make_runner, const BatcherOptions& options);
  ~Batcher();  // drain(), then joins the workers

  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // All sequences of a job are queued or none; never blocks. Fails with kOverloaded where the queue
  // is full, kDraining after drain(), and kInvalidArgument for what could never be scheduled.
  Result<Ticket> submit(Job job);

  // Refuses new jobs from now on; what is queued is still computed.
  void drain();

  std::int64_t queued_tokens() const;

  // How long the slowest worker has been at its batch, 0 where all wait: what never ends is stuck.
  std::chrono::nanoseconds longest_batch() const;

  // Of the first worker's runner; the others are like it.
  std::vector<std::string> kernels() const;

 private:
  struct Item;
  struct Taken;

  void work(std::size_t worker, const RunnerFactory& make_runner);
  std::unique_ptr<BatchRunner> prepare(const RunnerFactory& make_runner);
  Taken take(std::size_t worker);
  void report_drops(std::vector<Item>& dropped) const;
  bool take_next(Taken& taken, std::int64_t& budget, Clock::time_point now);
  void run(std::vector<Item>& batch, BatchRunner& runner) const;
  void stop();

  const BatcherOptions options_;
  mutable std::mutex mutex_;  // guards all below but workers_, and the sequences of jobs_
  std::condition_variable work_arrived_;
  std::condition_variable workers_prepared_;
  std::deque<std::shared_ptr<JobGroup>> jobs_;  // with sequences that wait; next in turn first
  std::int64_t queued_tokens_ = 0;
  std::vector<std::optional<Clock::time_point>> busy_since_;  // of each worker; empty: it waits
  bool is_draining_ = false;
  std::int64_t preparing_;      // workers that have no runner yet
  std::exception_ptr failure_;  // of a factory
  std::vector<std::string> kernels_;
  std::vector<std::thread> workers_;
};

}  // namespace notbad::service
