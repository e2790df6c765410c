#include "core/ops/layer_norm.h"

#include <utility>

#include "core/base/check.h"
#include "core/ops/onednn/executor_impl.h"
#include "core/ops/row_blocks.h"

namespace notbad::ops {
namespace {

constexpr std::int64_t kBlockRows = 32;

void add_vectors(PreparedPrimitive& norm, std::int64_t features) {
  const dnnl::memory::desc vector({features}, dnnl::memory::data_type::f32,
                                  dnnl::memory::format_tag::a);
  norm.arguments.emplace(DNNL_ARG_SCALE, onednn::unbound(vector));
  norm.arguments.emplace(DNNL_ARG_SHIFT, onednn::unbound(vector));
}

PreparedPrimitive& prepared(std::int64_t rows, std::int64_t features, float epsilon,
                            Executor& executor) {
  const PrimitiveKey key{.op = PrimitiveKey::Op::kLayerNorm,
                         .rows = rows,
                         .in_features = features,
                         .epsilon = epsilon};
  PreparedPrimitive& norm = executor.impl().prepare<dnnl::layer_normalization_forward>(key, [&] {
    return onednn::layer_norm_desc(onednn::matrix_desc(rows, features), epsilon,
                                   onednn::user_scratchpad());
  });
  if (!norm.arguments.contains(DNNL_ARG_SHIFT)) add_vectors(norm, features);
  return norm;
}

}  // namespace

LayerNorm::LayerNorm(Tensor scale, Tensor shift, float epsilon)
    : scale_(std::move(scale)), shift_(std::move(shift)), epsilon_(epsilon) {
  check(scale_.shape().rank() == 1 && scale_.shape() == shift_.shape(), [&] {
    return "LayerNorm: expected scale and shift [D], found " + scale_.shape().to_string() +
           " and " + shift_.shape().to_string();
  });
}

void LayerNorm::prepare(std::int64_t rows, Executor& executor) const {
  for_each_block(rows, kBlockRows, [&](std::int64_t, std::int64_t count) {
    prepared(count, scale_.dim(0), epsilon_, executor);
  });
}

void LayerNorm::forward(MatrixView x, Executor& executor) const {
  check(x.cols() == scale_.dim(0) && x.is_contiguous(), [&] {
    return "LayerNorm: expected x [rows, " + std::to_string(scale_.dim(0)) + "], found " +
           x.shape().to_string();
  });
  for_each_block(x.rows(), kBlockRows, [&](std::int64_t begin, std::int64_t count) {
    const MatrixView block = x.rows_from(begin, count);
    PreparedPrimitive& norm = prepared(count, x.cols(), epsilon_, executor);
    norm.bind(DNNL_ARG_SRC, block.data());
    norm.bind(DNNL_ARG_DST, block.data());
    norm.bind(DNNL_ARG_SCALE, scale_.data());
    norm.bind(DNNL_ARG_SHIFT, shift_.data());
    executor.impl().run(norm);
  });
}

}  // namespace notbad::ops
