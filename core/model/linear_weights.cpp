#include "core/model/linear_weights.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace notbad::model {

ops::Linear fused(std::initializer_list<const LinearWeights*> parts, ops::Dtype dtype,
                  ops::InputBits input_bits) {
  std::vector<float> weight;
  std::vector<float> bias;
  for (const LinearWeights* part : parts) {
    weight.insert(weight.end(), part->weight.values().begin(), part->weight.values().end());
    bias.insert(bias.end(), part->bias.values().begin(), part->bias.values().end());
  }
  const auto out_features = static_cast<std::int64_t>(bias.size());
  const std::int64_t in_features = (*parts.begin())->weight.dim(-1);
  return ops::Linear(Tensor({out_features, in_features}, std::move(weight)),
                     Tensor({out_features}, std::move(bias)), ops::Activation::kNone, dtype,
                     input_bits);
}

}  // namespace notbad::model
