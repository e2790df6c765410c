#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/model/safetensors_file.h"
#include "core/tensor/tensor.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_files.h"

namespace notbad::testing {

inline std::filesystem::path golden_path(const std::string& name) {
  return test_files::golden(name);
}

// Values that the PyTorch twin wrote. A missing one is an error of the test, so it throws.
class GoldenFile {
 public:
  explicit GoldenFile(const std::string& name) : file_(open(name)) {}

  bool has(const std::string& name) const { return file_.entries().contains(name); }
  Tensor tensor(const std::string& name) const { return found(file_.floats(name), name); }
  std::vector<double> doubles(const std::string& name) const {
    return found(file_.doubles(name), name);
  }
  std::vector<std::int64_t> integers(const std::string& name) const {
    return found(file_.integers(name), name);
  }
  std::vector<std::int32_t> ids(const std::string& name) const {
    const auto wide = integers(name);
    std::vector<std::int32_t> narrow;
    for (const std::int64_t id : wide) narrow.push_back(static_cast<std::int32_t>(id));
    return narrow;
  }

 private:
  static model::SafetensorsFile open(const std::string& name) {
    auto file = model::SafetensorsFile::open(golden_path(name));
    if (!file) throw std::runtime_error(file.error().message);
    return std::move(*file);
  }

  template <class Value>
  static Value found(std::optional<Value> value, const std::string& name) {
    if (!value) throw std::runtime_error("no golden value " + name);
    return std::move(*value);
  }

  model::SafetensorsFile file_;
};

// The tiny model of the goldens as a folder that Classifier::load() takes: V 40, D 16, H 4, L 2,
// F 32, 32 positions, C 2. "tiny_tagged" has the same weights, and head 2 of layer 0 for its
// negation head and a tagger of rank 3 on layer 0.
class TinyModelFolder {
 public:
  explicit TinyModelFolder(const std::string& name = "tiny") {
    std::filesystem::copy_file(golden_path(name + "_config.json"), path() / "config.json");
    std::filesystem::copy_file(golden_path(name + "_model.safetensors"),
                               path() / "model.safetensors");
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace notbad::testing
