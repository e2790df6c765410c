#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/tensor/shape.h"

namespace notbad::testing {

// The bytes of a safetensors file around any header, valid or not: length, header, data.
inline std::string safetensors_bytes(std::string header, std::string_view data) {
  while (header.size() % 8 != 0) header += ' ';
  const std::uint64_t length = header.size();
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes + header + std::string(data);
}

// The bytes of an array, vector or span of values, as they lie in memory.
template <class Values>
std::string bytes_of(const Values& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Collects arrays and lays them out one after the other, as the format asks.
class SafetensorsWriter {
 public:
  void add(const std::string& name, const std::string& dtype, const Shape& shape,
           std::string_view bytes) {
    if (!header_.empty()) header_ += ',';
    header_ += '"' + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape.to_string() +
               R"(,"data_offsets":[)" + std::to_string(data_.size()) + ',' +
               std::to_string(data_.size() + bytes.size()) + "]}";
    data_ += bytes;
  }

  std::string bytes() const { return safetensors_bytes('{' + header_ + '}', data_); }

 private:
  std::string header_;
  std::string data_;
};

}  // namespace notbad::testing
