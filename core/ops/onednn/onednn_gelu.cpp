#include "core/ops/onednn/onednn_gelu.h"

#include "core/ops/onednn/executor_impl.h"
#include "core/ops/row_blocks.h"

namespace notbad::ops::onednn {
namespace {

constexpr std::int64_t kBlockRows = 16;

PreparedPrimitive& prepared(std::int64_t rows, std::int64_t cols, Executor& executor) {
  const PrimitiveKey key{.op = PrimitiveKey::Op::kGelu, .rows = rows, .in_features = cols};
  return executor.impl().prepare<dnnl::eltwise_forward>(
      key, [&] { return gelu_erf_desc(matrix_desc(rows, cols), user_scratchpad()); });
}

}  // namespace

void prepare_gelu(std::int64_t rows, std::int64_t cols, Executor& executor) {
  for_each_block(rows, kBlockRows,
                 [&](std::int64_t, std::int64_t count) { prepared(count, cols, executor); });
}

void gelu_in_place(MatrixView x, Executor& executor) {
  for_each_block(x.rows(), kBlockRows, [&](std::int64_t begin, std::int64_t count) {
    const MatrixView block = x.rows_from(begin, count);
    PreparedPrimitive& primitive = prepared(count, x.cols(), executor);
    primitive.bind(DNNL_ARG_SRC, block.data());
    primitive.bind(DNNL_ARG_DST, block.data());
    executor.impl().run(primitive);
  });
}

}  // namespace notbad::ops::onednn
