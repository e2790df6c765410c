#pragma once

#include <cstdint>
#include <dnnl.hpp>

// The one place that knows oneDNN 2 from oneDNN 3: version 3 folded the op descriptors into the
// primitive descriptors, dropped the scale of an eltwise post-op and renamed the softmax.
namespace notbad::ops::onednn {

inline const dnnl::engine& cpu_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

// Row-major floats.
inline dnnl::memory::desc matrix_desc(std::int64_t rows, std::int64_t cols) {
  return {{rows, cols}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab};
}

// The scratchpad of an op comes from its executor: the default one is bound to the thread that made
// the primitive.
inline dnnl::primitive_attr user_scratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

inline void append_gelu_erf(dnnl::post_ops& post_ops) {
#if DNNL_VERSION_MAJOR >= 3
  post_ops.append_eltwise(dnnl::algorithm::eltwise_gelu_erf, 0.0F, 0.0F);
#else
  post_ops.append_eltwise(1.0F, dnnl::algorithm::eltwise_gelu_erf, 0.0F, 0.0F);
#endif
}

// In place: source and destination have one description.
inline dnnl::eltwise_forward::primitive_desc gelu_erf_desc(const dnnl::memory::desc& matrix,
                                                           const dnnl::primitive_attr& attributes) {
  constexpr auto kKind = dnnl::prop_kind::forward_inference;
  constexpr auto kAlgorithm = dnnl::algorithm::eltwise_gelu_erf;
#if DNNL_VERSION_MAJOR >= 3
  return {cpu_engine(), kKind, kAlgorithm, matrix, matrix, 0.0F, 0.0F, attributes};
#else
  return {dnnl::eltwise_forward::desc(kKind, kAlgorithm, matrix), attributes, cpu_engine()};
#endif
}

inline dnnl::matmul::primitive_desc matmul_desc(const dnnl::memory::desc& source,
                                                const dnnl::memory::desc& weights,
                                                const dnnl::memory::desc& bias,
                                                const dnnl::memory::desc& destination,
                                                const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
  return {cpu_engine(), source, weights, bias, destination, attributes};
#else
  return {dnnl::matmul::desc(source, weights, bias, destination), attributes, cpu_engine()};
#endif
}

// Without bias.
inline dnnl::matmul::primitive_desc matmul_desc(const dnnl::memory::desc& source,
                                                const dnnl::memory::desc& weights,
                                                const dnnl::memory::desc& destination,
                                                const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
  return {cpu_engine(), source, weights, destination, attributes};
#else
  return {dnnl::matmul::desc(source, weights, destination), attributes, cpu_engine()};
#endif
}

// One row of points, each convolved by itself.
inline dnnl::convolution_forward::primitive_desc pointwise_desc(
    const dnnl::memory::desc& source, const dnnl::memory::desc& weights,
    const dnnl::memory::desc& bias, const dnnl::memory::desc& destination,
    const dnnl::primitive_attr& attributes) {
  constexpr auto kKind = dnnl::prop_kind::forward_inference;
  constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
  const dnnl::memory::dims strides{1, 1};
  const dnnl::memory::dims padding{0, 0};
#if DNNL_VERSION_MAJOR >= 3
  return {cpu_engine(), kKind,   kAlgorithm, source,  weights,   bias,
          destination,  strides, padding,    padding, attributes};
#else
  return {dnnl::convolution_forward::desc(kKind, kAlgorithm, source, weights, bias, destination,
                                          strides, padding, padding),
          attributes, cpu_engine()};
#endif
}

}  // namespace notbad::ops::onednn
