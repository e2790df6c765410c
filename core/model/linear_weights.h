#pragma once

#include <initializer_list>

#include "core/ops/linear.h"
#include "core/tensor/tensor.h"
#include "core/tensor/weight_matrix.h"

namespace notbad::model {

// The weights of one linear layer as they stand in the file.
struct LinearWeights {
  WeightMatrix weight;  // [out, in]
  Tensor bias;          // [out]
};

// Several layers that read the same input as one, [Σout, in]: one matmul for all of them. Their
// outputs lie side by side in the order of the list.
ops::Linear fused(std::initializer_list<const LinearWeights*> parts,
                  ops::Dtype dtype = ops::Dtype::kF32,
                  ops::InputBits input_bits = ops::InputBits::k8);

}  // namespace notbad::model
