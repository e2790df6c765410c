#include "core/ops/onednn/onednn_linear.h"

#include <string>

#include "core/ops/onednn/executor_impl.h"
#include "core/ops/onednn/linear_parts.h"

namespace notbad::ops::onednn {
namespace {

using dnnl::memory;

struct Layer {
  std::int64_t in_features;
  std::int64_t out_features;
  Activation activation;
};

dnnl::matmul::primitive_desc matmul_of(const Layer& layer, std::int64_t rows,
                                       const memory::desc& weights) {
  return matmul_desc(matrix_desc(rows, layer.in_features), weights,
                     matrix_desc(1, layer.out_features), matrix_desc(rows, layer.out_features),
                     linear_attributes(layer.activation));
}

// Row-major [rows, features] is an image of 1 x rows points with its channels innermost.
memory::desc points_desc(std::int64_t rows, std::int64_t features) {
  return {{1, features, 1, rows}, memory::data_type::f32, memory::format_tag::nhwc};
}

dnnl::convolution_forward::primitive_desc pointwise_of(const Layer& layer, std::int64_t rows,
                                                       const memory::desc& weights) {
  const memory::desc bias({layer.out_features}, memory::data_type::f32, memory::format_tag::a);
  return pointwise_desc(points_desc(rows, layer.in_features), weights, bias,
                        points_desc(rows, layer.out_features), linear_attributes(layer.activation));
}

memory packed_for_matmul(const Tensor& weight, const Layer& layer) {
  const memory::dims sizes{layer.in_features, layer.out_features};
  const memory::desc any(sizes, memory::data_type::f32, memory::format_tag::any);
  // [out, in] in memory is [in, out] with the strides of format ba: no transpose is written.
  const memory::desc stored(sizes, memory::data_type::f32, memory::format_tag::ba);
  return reordered(weight.data(), stored, matmul_of(layer, kLayoutRows, any).weights_desc());
}

memory packed_for_pointwise(const Tensor& weight, const Layer& layer) {
  const memory::dims sizes{layer.out_features, layer.in_features, 1, 1};
  const memory::desc any(sizes, memory::data_type::f32, memory::format_tag::any);
  const memory::desc stored(sizes, memory::data_type::f32, memory::format_tag::oihw);
  return reordered(weight.data(), stored, pointwise_of(layer, kLayoutRows, any).weights_desc());
}

// Whether a 1 x 1 convolution, the same sum, beats the matmul. Without AVX-512, oneDNN 2.6 hands a
// matmul to a gemm that packs the weights anew in every run; the convolution's stay packed.
bool is_better_pointwise(const Layer& layer) {
  const memory::desc matmul_weights({layer.in_features, layer.out_features}, memory::data_type::f32,
                                    memory::format_tag::any);
  const memory::desc weights({layer.out_features, layer.in_features, 1, 1}, memory::data_type::f32,
                             memory::format_tag::any);
  const std::string matmul = matmul_of(layer, kLayoutRows, matmul_weights).impl_info_str();
  const std::string pointwise = pointwise_of(layer, kLayoutRows, weights).impl_info_str();
  return matmul.starts_with("gemm") && pointwise.starts_with("jit_1x1:avx2");
}

// Only read after construction, so threads share it.
class OnednnLinear final : public LinearKernel {
 public:
  OnednnLinear(const Tensor& weight, const Tensor& bias, Activation activation)
      : layer_{weight.dim(1), weight.dim(0), activation},
        is_pointwise_(is_better_pointwise(layer_)),
        weights_(is_pointwise_ ? packed_for_pointwise(weight, layer_)
                               : packed_for_matmul(weight, layer_)),
        bias_(row_of(bias)) {}

  void prepare(std::int64_t rows, Executor& executor) const override { prepared(rows, executor); }

  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const override {
    PreparedPrimitive& product = prepared(x.rows(), executor);
    product.bind(DNNL_ARG_SRC, x.data());
    product.bind(DNNL_ARG_DST, y.data());
    product.arguments[DNNL_ARG_WEIGHTS] = weights_;
    product.arguments[DNNL_ARG_BIAS] = bias_;
    executor.impl().run(product);
  }

 private:
  PreparedPrimitive& prepared(std::int64_t rows, Executor& executor) const {
    using Op = PrimitiveKey::Op;
    const PrimitiveKey key{.op = is_pointwise_ ? Op::kPointwiseLinear : Op::kLinear,
                           .rows = rows,
                           .in_features = layer_.in_features,
                           .out_features = layer_.out_features,
                           .activation = static_cast<int>(layer_.activation)};
    const memory::desc weights = weights_.get_desc();
    if (is_pointwise_) {
      return executor.impl().prepare<dnnl::convolution_forward>(
          key, [&] { return pointwise_of(layer_, rows, weights); });
    }
    return executor.impl().prepare<dnnl::matmul>(key,
                                                 [&] { return matmul_of(layer_, rows, weights); });
  }

  Layer layer_;
  bool is_pointwise_;
  memory weights_;  // in oneDNN's own layout
  memory bias_;     // [1, out]
};

}  // namespace

std::unique_ptr<const LinearKernel> make_linear(const Tensor& weight, const Tensor& bias,
                                                Activation activation) {
  return translate_errors("pack weights", [&] {
    return std::make_unique<const OnednnLinear>(weight, bias, activation);
  });
}

}  // namespace notbad::ops::onednn
