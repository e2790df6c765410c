#include "server/metrics/process_figures.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace notbad::metrics {
namespace {

// Fields of proc(5)'s stat that follow the name in parentheses, which may hold blanks itself; the
// state, field 3 of the manual, comes first.
constexpr std::size_t kFirstField = 3;
constexpr std::size_t kThreadsField = 20;
constexpr std::size_t kStartField = 22;     // in clock ticks since the machine started
constexpr std::size_t kResidentField = 24;  // in pages

std::vector<std::string> read_stat() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(line.rfind(')') + 1));
  return {std::istream_iterator<std::string>(rest), {}};
}

double number_at(const std::vector<std::string>& fields, std::size_t field) {
  const std::size_t index = field - kFirstField;
  return index < fields.size() ? std::stod(fields[index]) : 0.0;
}

double seconds_of(const timeval& time) {
  constexpr double kMicrosecondsPerSecond = 1e6;
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) / kMicrosecondsPerSecond;
}

double seconds_since_boot() {
  std::ifstream file("/proc/uptime");
  double seconds = 0.0;
  file >> seconds;
  return seconds;
}

std::int64_t count_descriptors() {
  std::error_code error;
  const std::filesystem::directory_iterator folder("/proc/self/fd", error);
  if (error) return 0;
  return std::distance(std::filesystem::begin(folder), std::filesystem::end(folder));
}

}  // namespace

ProcessFigures read_process_figures() {
  ProcessFigures figures;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  figures.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  figures.max_descriptors = static_cast<std::int64_t>(limit.rlim_cur);
  figures.open_descriptors = count_descriptors();

  const auto fields = read_stat();
  if (fields.empty()) return figures;
  figures.threads = static_cast<std::int64_t>(number_at(fields, kThreadsField));
  figures.resident_bytes = static_cast<std::int64_t>(number_at(fields, kResidentField)) *
                           static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  const double age = seconds_since_boot() -
                     number_at(fields, kStartField) / static_cast<double>(sysconf(_SC_CLK_TCK));
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  figures.start_time_seconds = now.count() - age;
  return figures;
}

}  // namespace notbad::metrics
