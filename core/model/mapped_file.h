#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"

namespace notbad::model {

// The bytes of a regular file, mapped read-only. Owns the mapping; spans of it live no longer.
// A file that is cut while mapped ends the process (SIGBUS): replace files, do not rewrite them.
class MappedFile {
 public:
  // Fails with kBadModelFile naming the file: missing, unreadable, empty, or not a regular file
  // (a directory; a pipe would block for ever).
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

}  // namespace notbad::model
