#include "core/ops/onednn/softmax.h"

#include "core/base/check.h"
#include "core/ops/onednn/executor_impl.h"

namespace notbad::ops::onednn {
namespace {

PreparedPrimitive& prepared(std::int64_t rows, std::int64_t cols, Executor& executor) {
  const PrimitiveKey key{.op = PrimitiveKey::Op::kSoftmax, .rows = rows, .in_features = cols};
  return executor.impl().prepare<dnnl::softmax_forward>(
      key, [&] { return softmax_desc(matrix_desc(rows, cols), user_scratchpad()); });
}

}  // namespace

void prepare_softmax(std::int64_t rows, std::int64_t cols, Executor& executor) {
  prepared(rows, cols, executor);
}

void softmax(MatrixView x, Executor& executor) {
  check(x.is_contiguous(), "softmax: rows must not lie apart");
  if (x.rows() == 0 || x.cols() == 0) return;
  PreparedPrimitive& primitive = prepared(x.rows(), x.cols(), executor);
  primitive.bind(DNNL_ARG_SRC, x.data());
  primitive.bind(DNNL_ARG_DST, x.data());
  executor.impl().run(primitive);
}

}  // namespace notbad::ops::onednn
