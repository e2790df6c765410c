#pragma once

#include <string>
#include <vector>

#include "core/model/model_config.h"
#include "core/tensor/shape.h"

namespace notbad::model {

struct WeightSpec {
  std::string name;
  Shape shape;
};

// Every weight that a model of this shape has, and no other: the list that a weight file is held
// against. A matrix of a linear layer is [out, in].
std::vector<WeightSpec> weight_specs(const ModelConfig& config);

// "encoder.layer.<layer>.", what the names of one layer's weights begin with.
std::string layer_prefix(std::int64_t layer);

}  // namespace notbad::model
