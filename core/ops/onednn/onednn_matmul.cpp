#include "core/ops/onednn/onednn_matmul.h"

#include <dnnl.hpp>
#include <stdexcept>

namespace notbad::ops::onednn {
namespace {

void multiply(char transpose_b, ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c) {
  const dnnl::status status =
      dnnl::sgemm('N', transpose_b, c.rows(), c.cols(), a.cols(), scale, a.data(), a.row_stride(),
                  b.data(), b.row_stride(), 0.0F, c.data(), c.row_stride());
  if (status != dnnl::status::success) throw std::runtime_error("oneDNN cannot run sgemm");
}

}  // namespace

void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c) { multiply('N', a, b, 1.0F, c); }

void matmul_transposed(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c) {
  multiply('T', a, b, scale, c);
}

}  // namespace notbad::ops::onednn
