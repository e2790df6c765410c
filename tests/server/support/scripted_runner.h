#pragma once

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "server/service/batch_runner.h"

namespace notbad::service {

// Holds a worker inside its batch until the test opens the gate.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }

  // Blocks until some worker stands in pass().
  void await_worker() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [this] { return has_worker_; });
  }

  void pass() {
    std::unique_lock lock(mutex_);
    has_worker_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, kPatience, [this] { return is_open_; });
  }

 private:
  static constexpr std::chrono::seconds kPatience{10};  // a broken test ends all the same

  std::mutex mutex_;  // guards the flags
  std::condition_variable changed_;
  bool is_open_ = false;
  bool has_worker_ = false;
};

// What the runners of one batcher do, and what they have seen.
struct Script {
  // Called with each batch before it is answered; may block or throw.
  std::function<void(std::span<const model::SequenceInput>)> before_run = [](auto) {};
  std::vector<float> logits = {-1.0F, 1.0F};
  // What the tagging head says of a sequence of this many tokens; nothing: there is none.
  std::function<std::optional<model::NegationTags>(std::int64_t)> tags = [](auto) {
    return std::nullopt;
  };

  std::mutex mutex;                                // guards the two below
  std::vector<std::vector<std::int64_t>> batches;  // lengths of the sequences of each batch
  std::vector<model::ForwardOptions> options;      // of every sequence

  std::vector<std::vector<std::int64_t>> seen() {
    const std::lock_guard lock(mutex);
    return batches;
  }
};

// Stands in for the classifier: the logits of its script, and seeded attention whose rows sum to 1.
class ScriptedRunner : public BatchRunner {
 public:
  explicit ScriptedRunner(Script& script) : script_(script) {}

  std::vector<model::SequenceOutput> run(std::span<const model::SequenceInput> batch) override {
    {
      const std::lock_guard lock(script_.mutex);
      auto& lengths = script_.batches.emplace_back();
      for (const auto& input : batch) {
        lengths.push_back(static_cast<std::int64_t>(input.ids.size()));
        script_.options.push_back(input.options);
      }
    }
    script_.before_run(batch);
    std::vector<model::SequenceOutput> outputs;
    for (const auto& input : batch) outputs.push_back(answer(input));
    return outputs;
  }

  std::vector<std::string> kernels() const override { return {"scripted"}; }

  // The maps of every answer of these sizes. [layers, heads, T, T], no two weights alike.
  static Tensor random_maps(std::int64_t layers, std::int64_t heads, std::int64_t tokens) {
    Tensor maps({layers, heads, tokens, tokens});
    std::mt19937 generator(7);
    std::exponential_distribution<float> weight(1.0F);
    auto rest = maps.values();
    while (!rest.empty()) {
      const auto row = rest.first(static_cast<std::size_t>(tokens));
      for (float& value : row) value = weight(generator);
      const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
      for (float& value : row) value /= sum;
      rest = rest.subspan(row.size());
    }
    return maps;
  }

 private:
  model::SequenceOutput answer(const model::SequenceInput& input) const {
    model::SequenceOutput output;
    output.logits = script_.logits;
    float sum = 0.0F;
    for (const float logit : output.logits) sum += std::exp(logit);
    for (const float logit : output.logits) output.probabilities.push_back(std::exp(logit) / sum);
    // The caller can tell by it which sequence was answered.
    output.pooled = {static_cast<float>(input.ids.front())};
    if (input.options.wants_negation) output.negation = script_.tags(std::ssize(input.ids));
    const auto& maps = input.options.attention;
    if (!maps.is_empty())
      output.attention = random_maps(static_cast<std::int64_t>(maps.layers.size()),
                                     static_cast<std::int64_t>(maps.heads.size()),
                                     static_cast<std::int64_t>(input.ids.size()));
    return output;
  }

  Script& script_;
};

inline RunnerFactory runners_of(Script& script) {
  return [&script] { return std::make_unique<ScriptedRunner>(script); };
}

}  // namespace notbad::service
