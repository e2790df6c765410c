#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace notbad::config {

// The cores that this process may keep busy: those of its affinity, or fewer where a cgroup quota
// gives it less; at least 1.
std::int64_t usable_cores();

// The cores that `cpu.max` of cgroup v2 grants, as in "50000 100000"; none where it sets no limit.
std::optional<double> parse_cpu_max(std::string_view cpu_max);

}  // namespace notbad::config
