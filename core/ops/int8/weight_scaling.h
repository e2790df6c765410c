#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ops/int8/row_scaling.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::ops::int8 {

struct QuantizedWeights;

// What a linear layer in int8 keeps of its weights besides their bytes. A few weights many times
// larger than the others of their output would make its scale too coarse for them: what they are
// over a multiple of the root mean square is kept as floats. After Dettmers et al., "SpQR", 2023.
class WeightScaling {
 public:
  // [padded_outputs] each
  OutputScaling outputs() const { return {scales_.data(), sums_.data(), bias_.data()}; }

  // To y [rows, out], what of x [rows, in] the bytes of the weights leave out.
  void add_outliers(ConstMatrixView x, MatrixView y) const;

 private:
  friend QuantizedWeights quantize(const Tensor&, const Tensor&, std::int64_t);

  struct Outlier {
    std::int32_t input;
    float excess;  // what the weight is over the limit
  };

  // An output that has outliers: those from the end of the one before.
  struct OutlierOutput {
    std::int32_t output;
    std::int32_t end;
  };

  WeightScaling(const Tensor& bias, std::int64_t padded_outputs);

  template <std::int64_t kRows>
  void add_outliers_of_rows(ConstMatrixView x, MatrixView y) const;

  void keep_outliers(std::int64_t output, std::span<const float> weights, float limit);

  std::vector<float> scales_;
  std::vector<float> sums_;  // of an output's bytes, times its scale
  std::vector<float> bias_;
  std::vector<Outlier> outliers_;
  std::vector<OutlierOutput> outlier_outputs_;
};

struct QuantizedWeights {
  std::vector<std::int8_t> bytes;  // [out, in]
  WeightScaling scaling;
};

// `weight` [out, in], `bias` [out]; the scaling has `padded_outputs` places, the last ones zero.
// Callable where the processor has AVX-512.
QuantizedWeights quantize(const Tensor& weight, const Tensor& bias, std::int64_t padded_outputs);

}  // namespace notbad::ops::int8
