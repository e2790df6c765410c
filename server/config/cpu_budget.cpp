#include "server/config/cpu_budget.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace notbad::config {
namespace {

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::int64_t affinity_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

// The lowest quota from the process's own group up to the root: each of them binds.
std::optional<double> quota_v2() {
  const std::filesystem::path root = "/sys/fs/cgroup";
  const std::string line = first_line("/proc/self/cgroup");
  constexpr std::string_view kPrefix = "0::/";
  if (!line.starts_with(kPrefix)) return std::nullopt;
  std::optional<double> lowest;
  std::filesystem::path group = root / line.substr(kPrefix.size());
  while (true) {
    const auto quota = parse_cpu_max(first_line(group / "cpu.max"));
    if (quota) lowest = std::min(*quota, lowest.value_or(*quota));
    if (group == root || !group.has_relative_path()) return lowest;
    group = group.parent_path();
  }
}

std::optional<double> quota_v1() {
  const std::filesystem::path group = "/sys/fs/cgroup/cpu";
  const auto quota = to_number(first_line(group / "cpu.cfs_quota_us"));
  const auto period = to_number(first_line(group / "cpu.cfs_period_us"));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view cpu_max) {
  const auto space = cpu_max.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto quota = to_number(cpu_max.substr(0, space));
  const auto period = to_number(cpu_max.substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::int64_t usable_cores() {
  auto quota = quota_v2();
  if (!quota) quota = quota_v1();
  const std::int64_t cores = affinity_cores();
  if (!quota) return cores;
  // Rounded down: a thread more than the quota feeds is a thread that the kernel throttles.
  return std::clamp(static_cast<std::int64_t>(std::floor(*quota)), std::int64_t{1}, cores);
}

}  // namespace notbad::config
