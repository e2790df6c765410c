#include "core/ops/gelu.h"

#include "core/base/check.h"
#include "core/ops/onednn/executor_impl.h"

namespace notbad::ops {
namespace {

PreparedPrimitive& prepared(std::int64_t count, Executor& executor) {
  const PrimitiveKey key{.op = PrimitiveKey::Op::kGelu, .rows = 1, .in_features = count};
  return executor.impl().prepare<dnnl::eltwise_forward>(key, [&] {
    return onednn::gelu_erf_desc(onednn::matrix_desc(1, count), onednn::user_scratchpad());
  });
}

}  // namespace

void prepare_gelu(std::int64_t count, Executor& executor) {
  if (count > 0) prepared(count, executor);
}

void gelu_in_place(MatrixView x, Executor& executor) {
  check(x.is_contiguous(), "gelu_in_place: rows must not lie apart");
  if (x.rows() == 0 || x.cols() == 0) return;
  PreparedPrimitive& primitive = prepared(x.rows() * x.cols(), executor);
  primitive.bind(DNNL_ARG_SRC, x.data());
  primitive.bind(DNNL_ARG_DST, x.data());
  executor.impl().run(primitive);
}

}  // namespace notbad::ops
