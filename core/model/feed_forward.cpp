#include "core/model/feed_forward.h"

namespace notbad::model {

FeedForward::FeedForward(const LinearWeights& up, const LinearWeights& down, ops::Dtype dtype)
    : up_(up.weight, up.bias, ops::Activation::kGeluErf, dtype),
      down_(down.weight, down.bias, ops::Activation::kNone, dtype, ops::InputBits::k16) {}

void FeedForward::prepare_rows(std::int64_t rows, Workspace& workspace) const {
  up_.prepare(rows, workspace.executor);
  down_.prepare(rows, workspace.executor);
}

MatrixView FeedForward::forward(ConstMatrixView x, Workspace& workspace) const {
  const MatrixView inner = first_rows(workspace.expanded, x.rows());  // [ΣT, F]
  up_.forward(x, inner, workspace.executor);
  const MatrixView result = first_rows(workspace.sublayer, x.rows());  // [ΣT, D]
  down_.forward(inner, result, workspace.executor);
  return result;
}

}  // namespace notbad::model
