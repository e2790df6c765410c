#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace notbad::cli {

// What a progress bar says of work that is `done` of `total` bytes, after `elapsed`. Without a
// total (0, a pipe) it counts and gives the rate only.
std::string format_progress(std::int64_t done, std::int64_t total, std::int64_t lines,
                            std::chrono::duration<double> elapsed);

// One line on stderr that redraws itself at most ten times a second and disappears at the end.
// Silent unless stderr is a terminal and stdout is not, where the output itself shows the progress.
class ProgressBar {
 public:
  explicit ProgressBar(std::int64_t total_bytes);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::int64_t done_bytes, std::int64_t lines);

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t total_bytes_;
  bool is_shown_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_draw_ = start_;
};

}  // namespace notbad::cli
