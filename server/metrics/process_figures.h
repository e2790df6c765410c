#pragma once

#include <cstdint>

namespace notbad::metrics {

// What the system knows about this process; a figure that it does not give is 0.
struct ProcessFigures {
  double cpu_seconds = 0.0;         // user and system
  double start_time_seconds = 0.0;  // since the epoch
  std::int64_t resident_bytes = 0;
  std::int64_t threads = 0;
  std::int64_t open_descriptors = 0;
  std::int64_t max_descriptors = 0;
};

ProcessFigures read_process_figures();

}  // namespace notbad::metrics
