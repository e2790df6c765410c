#include "core/ops/linear.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"
#include "core/ops/onednn/executor_impl.h"

namespace notbad::ops {
namespace {

using dnnl::memory;

// The layout of the packed weights is chosen for this many rows. It serves every other number:
// oneDNN chooses it by K, N and the processor (a test asks for the kernels at every bucket).
constexpr std::int64_t kLayoutRows = 64;

struct Layer {
  std::int64_t in_features;
  std::int64_t out_features;
  Activation activation;
};

dnnl::primitive_attr attributes_of(const Layer& layer) {
  dnnl::primitive_attr attributes = onednn::user_scratchpad();
  if (layer.activation == Activation::kGeluErf) {
    dnnl::post_ops post_ops;
    onednn::append_gelu_erf(post_ops);
    attributes.set_post_ops(post_ops);
  }
  return attributes;
}

dnnl::matmul::primitive_desc matmul_of(const Layer& layer, std::int64_t rows,
                                       const memory::desc& weights) {
  return onednn::matmul_desc(onednn::matrix_desc(rows, layer.in_features), weights,
                             onednn::matrix_desc(1, layer.out_features),
                             onednn::matrix_desc(rows, layer.out_features), attributes_of(layer));
}

// Row-major [rows, features] is an image of 1 x rows points with its channels innermost.
memory::desc points_desc(std::int64_t rows, std::int64_t features) {
  return {{1, features, 1, rows}, memory::data_type::f32, memory::format_tag::nhwc};
}

dnnl::convolution_forward::primitive_desc pointwise_of(const Layer& layer, std::int64_t rows,
                                                       const memory::desc& weights) {
  const memory::desc bias({layer.out_features}, memory::data_type::f32, memory::format_tag::a);
  return onednn::pointwise_desc(points_desc(rows, layer.in_features), weights, bias,
                                points_desc(rows, layer.out_features), attributes_of(layer));
}

memory reordered(const Tensor& weight, const memory::desc& stored, const memory::desc& wanted) {
  memory source(stored, onednn::cpu_engine(), const_cast<float*>(weight.data()));
  memory packed(wanted, onednn::cpu_engine());
  dnnl::stream stream(onednn::cpu_engine());
  dnnl::reorder(source, packed).execute(stream, source, packed);
  stream.wait();
  return packed;
}

memory packed_for_matmul(const Tensor& weight, const Layer& layer) {
  const memory::dims sizes{layer.in_features, layer.out_features};
  const memory::desc any(sizes, memory::data_type::f32, memory::format_tag::any);
  // [out, in] in memory is [in, out] with the strides of format ba: no transpose is written.
  const memory::desc stored(sizes, memory::data_type::f32, memory::format_tag::ba);
  return reordered(weight, stored, matmul_of(layer, kLayoutRows, any).weights_desc());
}

memory packed_for_pointwise(const Tensor& weight, const Layer& layer) {
  const memory::dims sizes{layer.out_features, layer.in_features, 1, 1};
  const memory::desc any(sizes, memory::data_type::f32, memory::format_tag::any);
  const memory::desc stored(sizes, memory::data_type::f32, memory::format_tag::oihw);
  return reordered(weight, stored, pointwise_of(layer, kLayoutRows, any).weights_desc());
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

memory copied_bias(const Tensor& bias) {
  memory copy(onednn::matrix_desc(1, bias.dim(0)), onednn::cpu_engine());
  std::copy_n(bias.data(), bias.dim(0), static_cast<float*>(copy.get_data_handle()));
  return copy;
}

}  // namespace

// Only read after construction, so threads share it.
struct Linear::Packed {
  bool is_pointwise;
  memory weights;  // in oneDNN's own layout
  memory bias;     // [1, out]
};

Linear::Linear(const Tensor& weight, const Tensor& bias, Activation activation)
    : in_features_(weight.dim(1)), out_features_(weight.dim(0)), activation_(activation) {
  check(bias.shape() == Shape{out_features_}, [&] {
    return "Linear: expected bias [" + std::to_string(out_features_) + "], found " +
           bias.shape().to_string();
  });
  packed_ = onednn::translate_errors("pack weights", [&] {
    const Layer layer{in_features_, out_features_, activation_};
    const bool is_pointwise = is_better_pointwise(layer);
    return std::make_unique<const Packed>(Packed{
        is_pointwise,
        is_pointwise ? packed_for_pointwise(weight, layer) : packed_for_matmul(weight, layer),
        copied_bias(bias)});
  });
}

Linear::~Linear() = default;
Linear::Linear(Linear&&) noexcept = default;
Linear& Linear::operator=(Linear&&) noexcept = default;

void Linear::prepare(std::int64_t rows, Executor& executor) const { prepared(rows, executor); }

void Linear::forward(ConstMatrixView x, MatrixView y, Executor& executor) const {
  check(x.cols() == in_features_ && y.cols() == out_features_ && x.rows() == y.rows() &&
            x.is_contiguous() && y.is_contiguous(),
        [&] {
          return "Linear " + Shape{in_features_, out_features_}.to_string() + ": found x " +
                 x.shape().to_string() + " and y " + y.shape().to_string();
        });
  if (x.rows() == 0) return;
  PreparedPrimitive& product = prepared(x.rows(), executor);
  product.bind(DNNL_ARG_SRC, x.data());
  product.bind(DNNL_ARG_DST, y.data());
  product.arguments[DNNL_ARG_WEIGHTS] = packed_->weights;
  product.arguments[DNNL_ARG_BIAS] = packed_->bias;
  executor.impl().run(product);
}

PreparedPrimitive& Linear::prepared(std::int64_t rows, Executor& executor) const {
  using Op = PrimitiveKey::Op;
  const PrimitiveKey key{.op = packed_->is_pointwise ? Op::kPointwiseLinear : Op::kLinear,
                         .rows = rows,
                         .in_features = in_features_,
                         .out_features = out_features_,
                         .activation = static_cast<int>(activation_)};
  const Layer layer{in_features_, out_features_, activation_};
  const memory::desc weights = packed_->weights.get_desc();
  if (packed_->is_pointwise) {
    return executor.impl().prepare<dnnl::convolution_forward>(
        key, [&] { return pointwise_of(layer, rows, weights); });
  }
  return executor.impl().prepare<dnnl::matmul>(key,
                                               [&] { return matmul_of(layer, rows, weights); });
}

}  // namespace notbad::ops
