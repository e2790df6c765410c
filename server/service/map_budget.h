#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace notbad::service {

// Bounds the attention values that are in memory at one time, over all requests: an answer with
// maps takes thirty times the memory of its forward pass, and keeps it while its client reads.
// Any thread may ask.
class MapBudget {
 public:
  explicit MapBudget(std::int64_t limit) : limit_(limit) {}

  // A place for `values` until the last copy of what is returned is gone, which may be after this
  // object. Null where they do not fit beside the others; alone, any number fits.
  std::shared_ptr<const void> take(std::int64_t values);

 private:
  const std::int64_t limit_;
  std::shared_ptr<std::atomic<std::int64_t>> taken_ =
      std::make_shared<std::atomic<std::int64_t>>(0);
};

}  // namespace notbad::service
