#include "core/ops/linear.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"
#include "core/ops/onednn/executor_impl.h"

namespace notbad::ops {
namespace {

// The layout of the packed weights is chosen for this many rows. It serves every other number:
// oneDNN chooses it by K, N and the processor (a test asks for the kernels at every bucket).
constexpr std::int64_t kLayoutRows = 64;

dnnl::matmul::primitive_desc make_descriptor(std::int64_t rows, std::int64_t in_features,
                                             std::int64_t out_features, Activation activation,
                                             const dnnl::memory::desc& weights) {
  dnnl::primitive_attr attributes = onednn::user_scratchpad();
  if (activation == Activation::kGeluErf) {
    dnnl::post_ops post_ops;
    onednn::append_gelu_erf(post_ops);
    attributes.set_post_ops(post_ops);
  }
  return onednn::matmul_desc(onednn::matrix_desc(rows, in_features), weights,
                             onednn::matrix_desc(1, out_features),
                             onednn::matrix_desc(rows, out_features), attributes);
}

dnnl::memory packed_weights(const Tensor& weight, Activation activation) {
  const std::int64_t out_features = weight.dim(0);
  const std::int64_t in_features = weight.dim(1);
  const dnnl::memory::desc any({in_features, out_features}, dnnl::memory::data_type::f32,
                               dnnl::memory::format_tag::any);
  const auto descriptor = make_descriptor(kLayoutRows, in_features, out_features, activation, any);
  // [out, in] in memory is [in, out] with the strides of format ba: no transpose is written.
  const dnnl::memory::desc stored({in_features, out_features}, dnnl::memory::data_type::f32,
                                  dnnl::memory::format_tag::ba);
  dnnl::memory source(stored, onednn::cpu_engine(), const_cast<float*>(weight.data()));
  dnnl::memory packed(descriptor.weights_desc(), onednn::cpu_engine());
  dnnl::stream stream(onednn::cpu_engine());
  dnnl::reorder(source, packed).execute(stream, source, packed);
  stream.wait();
  return packed;
}

dnnl::memory copied_bias(const Tensor& bias) {
  dnnl::memory copy(onednn::matrix_desc(1, bias.dim(0)), onednn::cpu_engine());
  std::copy_n(bias.data(), bias.dim(0), static_cast<float*>(copy.get_data_handle()));
  return copy;
}

}  // namespace

// Only read after construction, so threads share it.
struct Linear::Packed {
  dnnl::memory weights;  // [in, out] in oneDNN's own layout
  dnnl::memory bias;     // [1, out]
};

Linear::Linear(const Tensor& weight, const Tensor& bias, Activation activation)
    : in_features_(weight.dim(1)), out_features_(weight.dim(0)), activation_(activation) {
  check(bias.shape() == Shape{out_features_}, [&] {
    return "Linear: expected bias [" + std::to_string(out_features_) + "], found " +
           bias.shape().to_string();
  });
  packed_ = onednn::translate_errors("pack weights", [&] {
    return std::make_unique<const Packed>(
        Packed{packed_weights(weight, activation), copied_bias(bias)});
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
  PreparedPrimitive& matmul = prepared(x.rows(), executor);
  matmul.bind(DNNL_ARG_SRC, x.data());
  matmul.bind(DNNL_ARG_DST, y.data());
  matmul.arguments[DNNL_ARG_WEIGHTS] = packed_->weights;
  matmul.arguments[DNNL_ARG_BIAS] = packed_->bias;
  executor.impl().run(matmul);
}

PreparedPrimitive& Linear::prepared(std::int64_t rows, Executor& executor) const {
  const PrimitiveKey key{.op = PrimitiveKey::Op::kLinear,
                         .rows = rows,
                         .in_features = in_features_,
                         .out_features = out_features_,
                         .activation = static_cast<int>(activation_)};
  return executor.impl().prepare<dnnl::matmul>(key, [&] {
    return make_descriptor(rows, in_features_, out_features_, activation_,
                           packed_->weights.get_desc());
  });
}

}  // namespace notbad::ops
