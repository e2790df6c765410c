#include "core/base/prefault.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace notbad {

void prefault([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::size_t before = (page - address % page) % page;  // of the first whole page
  if (bytes < before + page) return;
  const std::size_t whole_pages = (bytes - before) / page * page;
  // Where the kernel refuses, pages come when they are touched, as ever.
  static_cast<void>(
      ::madvise(static_cast<std::byte*>(begin) + before, whole_pages, MADV_POPULATE_WRITE));
#endif
}

}  // namespace notbad
