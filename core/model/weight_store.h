#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/linear_weights.h"
#include "core/model/safetensors_file.h"
#include "core/model/weight_spec.h"
#include "core/tensor/tensor.h"
#include "core/tensor/weight_matrix.h"

namespace notbad::model {

// A weight file that holds exactly the declared weights, each of the declared shape and finite.
// Immutable after open(); needed only while the layers take their weights from it.
class WeightStore {
 public:
  // Fails with kBadModelFile naming the file, the weight and the remedy.
  static Result<WeightStore> open(const std::filesystem::path& path,
                                  const std::vector<WeightSpec>& specs);

  // The values in float32. Asking for a name that is not in the specs is a bug, here and below.
  Tensor tensor(const std::string& name) const;

  // The values in as few bytes as lose nothing; borrowed from the file where that stands so.
  WeightMatrix matrix(const std::string& name) const;

  // "<name>.weight" and "<name>.bias".
  LinearWeights linear(const std::string& name) const;

 private:
  explicit WeightStore(SafetensorsFile file) : file_(std::move(file)) {}

  SafetensorsFile file_;
};

}  // namespace notbad::model
