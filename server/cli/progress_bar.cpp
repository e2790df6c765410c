#include "server/cli/progress_bar.h"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace notbad::cli {
namespace {

constexpr std::int64_t kBarCells = 30;
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);

std::string format_duration(double seconds) {
  const std::int64_t whole = std::llround(seconds);
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string format_progress(std::int64_t done, std::int64_t total, std::int64_t lines,
                            std::chrono::duration<double> elapsed) {
  const double seconds = elapsed.count();
  const double rate = seconds > 0 ? static_cast<double>(lines) / seconds : 0;
  std::string count = fmt::format("{} lines  {:.0f}/s", lines, rate);
  if (total <= 0) return count;

  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarCells);
  std::string text = fmt::format("{:3.0f} % [{}{}]  {}", 100 * share, std::string(filled, '#'),
                                 std::string(kBarCells - filled, '-'), count);
  if (share > 0) text += "  ETA " + format_duration(seconds / share - seconds);
  return text;
}

ProgressBar::ProgressBar(std::int64_t total_bytes)
    : total_bytes_(total_bytes),
      is_shown_(isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) == 0) {}

ProgressBar::~ProgressBar() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::update(std::int64_t done_bytes, std::int64_t lines) {
  const Clock::time_point now = Clock::now();
  if (!is_shown_ || now < next_draw_) return;
  next_draw_ = now + kRedrawEvery;
  const std::string text = format_progress(done_bytes, total_bytes_, lines, now - start_);
  std::fprintf(stderr, "\r%s\033[K", text.c_str());
  std::fflush(stderr);
}

}  // namespace notbad::cli
