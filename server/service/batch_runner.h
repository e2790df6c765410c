#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/forward_options.h"

namespace notbad::service {

// Runs one packed batch. Made, used and destroyed by one worker thread. A failure is an exception.
class BatchRunner {
 public:
  virtual ~BatchRunner() = default;

  // One output a sequence, in order.
  virtual std::vector<model::SequenceOutput> run(std::span<const model::SequenceInput> batch) = 0;

  // Names of what computes, for the curious; known from the start.
  virtual std::vector<std::string> kernels() const { return {}; }
};

// Called once in each worker thread, so that what a runner prepares belongs to that thread.
using RunnerFactory = std::function<std::unique_ptr<BatchRunner>()>;

}  // namespace notbad::service
