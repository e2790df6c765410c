#pragma once

#include "core/tensor/tensor.h"

namespace notbad::model {

// The weights of one linear layer as they stand in the file.
struct LinearWeights {
  Tensor weight;  // [out, in]
  Tensor bias;    // [out]
};

}  // namespace notbad::model
