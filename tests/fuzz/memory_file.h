#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <source_location>
#include <string>

namespace notbad::fuzzing {

// A file of these bytes that is on no disk, for readers that take a path.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size)
      : descriptor_(memfd_create("notbad", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size))
      std::abort();
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Ends the run, so that the fuzzer keeps the input, where `condition` does not hold; says where.
inline void require(bool condition,
                    const std::source_location& place = std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%u: does not hold\n", place.file_name(), place.line());
  std::abort();
}

}  // namespace notbad::fuzzing
