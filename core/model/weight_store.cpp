#include "core/model/weight_store.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/model/strict_json.h"

// A weight file is a safetensors file (its rules stand on top of safetensors_file.cpp) in which
//
//   - the names are those of weight_specs(), each once and no other;
//   - the shapes are those of weight_specs(), matrices of linear layers [out, in];
//   - the types are F32, F16 or BF16, mixed at will: all are computed with in float32;
//   - every value is finite.

namespace notbad::model {
namespace {

tl::unexpected<Error> refuse(const std::filesystem::path& path, const std::string& what) {
  return fail(ErrorCode::kBadModelFile,
              path.string() + ": " + what +
                  "; config.json and the weights must come from one export: export again");
}

Result<void> check_weight(const std::filesystem::path& path, const SafetensorsFile& file,
                          const WeightSpec& spec) {
  const std::string who = "weight \"" + spec.name + "\"";
  const auto found = file.entries().find(spec.name);
  if (found == file.entries().end()) return refuse(path, who + " is missing");
  if (found->second.shape != spec.shape) {
    return refuse(path, who + " should be " + spec.shape.to_string() + " and is " +
                            found->second.shape.to_string());
  }
  const auto is_finite = file.is_finite(spec.name);
  if (!is_finite) return refuse(path, who + " is neither F32 nor F16 nor BF16");
  if (!*is_finite) return refuse(path, who + " holds NaN or infinity");
  return {};
}

bool is_declared(const std::string& name, const std::vector<WeightSpec>& specs) {
  return std::any_of(specs.begin(), specs.end(),
                     [&](const WeightSpec& spec) { return spec.name == name; });
}

Result<void> check_no_other(const std::filesystem::path& path, const SafetensorsFile& file,
                            const std::vector<WeightSpec>& specs) {
  for (const auto& [name, entry] : file.entries()) {
    if (!is_declared(name, specs)) {
      return refuse(path, "weight " + quote_name(name) + " is unknown");
    }
  }
  return {};
}

}  // namespace

Result<WeightStore> WeightStore::open(const std::filesystem::path& path,
                                      const std::vector<WeightSpec>& specs) {
  auto file = SafetensorsFile::open(path);
  if (!file) return tl::unexpected(file.error());
  for (const WeightSpec& spec : specs) {
    if (const auto checked = check_weight(path, *file, spec); !checked) {
      return tl::unexpected(checked.error());
    }
  }
  if (const auto checked = check_no_other(path, *file, specs); !checked) {
    return tl::unexpected(checked.error());
  }
  return WeightStore(std::move(*file));
}

Tensor WeightStore::tensor(const std::string& name) const {
  auto values = file_.floats(name);
  if (!values) throw std::logic_error("WeightStore: no weight " + name);
  return std::move(*values);
}

WeightMatrix WeightStore::matrix(const std::string& name) const {
  if (const auto values = file_.bf16(name)) {
    return WeightMatrix::borrowing(file_.entries().at(name).shape, *values);
  }
  return tensor(name);
}

LinearWeights WeightStore::linear(const std::string& name) const {
  return {matrix(name + ".weight"), tensor(name + ".bias")};
}

}  // namespace notbad::model
