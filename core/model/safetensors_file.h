#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/mapped_file.h"
#include "core/tensor/shape.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

enum class DataType { kF32, kF16, kBF16, kF64, kI64 };

// One file of named arrays in the safetensors format, checked whole when it is opened.
// Immutable after open(); owns the mapped bytes, which entries borrow.
class SafetensorsFile {
 public:
  struct Entry {
    DataType type;
    Shape shape;
    std::span<const std::byte> bytes;
  };

  // Fails with kBadModelFile naming the file, what is wrong in it and the remedy.
  static Result<SafetensorsFile> open(const std::filesystem::path& path);

  const std::map<std::string, Entry>& entries() const { return entries_; }

  // The array as floats; F16 and BF16 widen without loss. Absent or F64 or I64: nothing.
  std::optional<Tensor> floats(const std::string& name) const;

  // The array as it stands, row by row, borrowed. Absent, another type than BF16, or at an odd
  // address: nothing.
  std::optional<std::span<const std::uint16_t>> bf16(const std::string& name) const;

  // Whether none of its floats is NaN or infinity, without a copy of them. Absent or F64 or I64:
  // nothing.
  std::optional<bool> is_finite(const std::string& name) const;

  // Likewise of F64 and of I64.
  std::optional<std::vector<double>> doubles(const std::string& name) const;
  std::optional<std::vector<std::int64_t>> integers(const std::string& name) const;

 private:
  SafetensorsFile(MappedFile file, std::map<std::string, Entry> entries)
      : file_(std::move(file)), entries_(std::move(entries)) {}

  template <class Value>
  std::optional<std::vector<Value>> exact(const std::string& name, DataType type) const;

  MappedFile file_;
  std::map<std::string, Entry> entries_;
};

}  // namespace notbad::model
