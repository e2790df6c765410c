#include "server/metrics/process_figures.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

namespace notbad::metrics {
namespace {

TEST(ProcessFiguresTest, CountsDescriptors) {
  const auto before = read_process_figures().open_descriptors;
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);

  const ProcessFigures figures = read_process_figures();
  close(descriptor);

  EXPECT_EQ(figures.open_descriptors, before + 1);
  EXPECT_GE(figures.max_descriptors, figures.open_descriptors);
}

TEST(ProcessFiguresTest, CountsThreads) {
  std::thread([] {}).join();  // with the first one a sanitizer may start its own
  const auto before = read_process_figures().threads;
  std::int64_t during = 0;

  std::thread([&during] { during = read_process_figures().threads; }).join();

  EXPECT_EQ(during, before + 1);
}

TEST(ProcessFiguresTest, SeesMemoryThatIsTouched) {
  constexpr std::size_t kBytes = 64 << 20U;
  const auto before = read_process_figures().resident_bytes;
  const std::vector<char> touched(kBytes, 'x');

  const auto after = read_process_figures().resident_bytes;

  EXPECT_GE(after - before, static_cast<std::int64_t>(kBytes / 2));
  EXPECT_EQ(touched.back(), 'x');
}

TEST(ProcessFiguresTest, StartedBeforeNowButNotLongAgo) {
  const ProcessFigures figures = read_process_figures();

  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LE(figures.start_time_seconds, now.count() + 0.1);
  EXPECT_GE(figures.start_time_seconds, now.count() - 3600.0);
  EXPECT_GT(figures.cpu_seconds, 0.0);
}

}  // namespace
}  // namespace notbad::metrics
