#include "core/model/linear_weights.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace notbad::model {

namespace {

// [Σout, in]
WeightMatrix stacked(std::initializer_list<const LinearWeights*> parts, const Shape& shape) {
  if (parts.size() == 1) return (*parts.begin())->weight;
  const auto is_bf16 = [](const LinearWeights* part) { return part->weight.is_bf16(); };
  if (std::ranges::all_of(parts, is_bf16)) {
    std::vector<std::uint16_t> values;
    values.reserve(static_cast<std::size_t>(shape.num_elements()));
    for (const LinearWeights* part : parts) {
      values.insert(values.end(), part->weight.bf16().begin(), part->weight.bf16().end());
    }
    return {shape, std::move(values)};
  }
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(shape.num_elements()));
  for (const LinearWeights* part : parts) {
    const Tensor weight = part->weight.widened();
    values.insert(values.end(), weight.values().begin(), weight.values().end());
  }
  return Tensor(shape, std::move(values));
}

}  // namespace

ops::Linear fused(std::initializer_list<const LinearWeights*> parts, ops::Dtype dtype,
                  ops::InputBits input_bits) {
  std::vector<float> bias;
  for (const LinearWeights* part : parts) {
    bias.insert(bias.end(), part->bias.values().begin(), part->bias.values().end());
  }
  const auto out_features = static_cast<std::int64_t>(bias.size());
  const std::int64_t in_features = (*parts.begin())->weight.dim(-1);
  return ops::Linear(stacked(parts, {out_features, in_features}),
                     Tensor({out_features}, std::move(bias)), ops::Activation::kNone, dtype,
                     input_bits);
}

}  // namespace notbad::model
