#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ops/linear.h"
#include "core/ops/onednn/version.h"
#include "core/tensor/tensor.h"

// What oneDNN's linear layers have in common, whatever they compute in.
namespace notbad::ops::onednn {

// The layout of the packed weights is chosen for this many rows. It serves every other number:
// oneDNN chooses it by K, N and the processor (a test asks for the kernels at every bucket).
constexpr std::int64_t kLayoutRows = 64;

inline dnnl::primitive_attr linear_attributes(Activation activation) {
  dnnl::primitive_attr attributes = user_scratchpad();
  if (activation == Activation::kGeluErf) {
    dnnl::post_ops post_ops;
    append_gelu_erf(post_ops);
    attributes.set_post_ops(post_ops);
  }
  return attributes;
}

// `weight`, which lies in memory as `stored` says, in the layout and type that are wanted.
template <class Value>
dnnl::memory reordered(const Value* weight, const dnnl::memory::desc& stored,
                       const dnnl::memory::desc& wanted) {
  dnnl::memory source(stored, cpu_engine(), const_cast<Value*>(weight));
  dnnl::memory packed(wanted, cpu_engine());
  dnnl::stream stream(cpu_engine());
  dnnl::reorder(source, packed).execute(stream, source, packed);
  stream.wait();
  return packed;
}

// A copy of a vector as [1, features].
inline dnnl::memory row_of(const Tensor& vector) {
  dnnl::memory copy(matrix_desc(1, vector.dim(0)), cpu_engine());
  std::copy_n(vector.data(), vector.dim(0), static_cast<float*>(copy.get_data_handle()));
  return copy;
}

}  // namespace notbad::ops::onednn
