#include "core/ops/matmul.h"

#include <dnnl.hpp>
#include <stdexcept>

#include "core/base/check.h"

// oneDNN's sgemm takes row distances as they are and beats the matmul primitive on attention's
// small strided products, which that primitive hands to the same kernel after its own overhead.

namespace notbad::ops {
namespace {

void check_shapes(bool fit, ConstMatrixView a, ConstMatrixView b, ConstMatrixView c) {
  check(fit, [&] {
    return "matmul: found a " + a.shape().to_string() + ", b " + b.shape().to_string() + ", c " +
           c.shape().to_string();
  });
}

void multiply(char transpose_b, ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c) {
  const dnnl::status status =
      dnnl::sgemm('N', transpose_b, c.rows(), c.cols(), a.cols(), scale, a.data(), a.row_stride(),
                  b.data(), b.row_stride(), 0.0F, c.data(), c.row_stride());
  if (status != dnnl::status::success) throw std::runtime_error("oneDNN cannot run sgemm");
}

}  // namespace

void matmul(ConstMatrixView a, ConstMatrixView b, MatrixView c) {
  check_shapes(a.cols() == b.rows() && c.rows() == a.rows() && c.cols() == b.cols(), a, b, c);
  multiply('N', a, b, 1.0F, c);
}

void matmul_transposed(ConstMatrixView a, ConstMatrixView b, float scale, MatrixView c) {
  check_shapes(a.cols() == b.cols() && c.rows() == a.rows() && c.cols() == b.rows(), a, b, c);
  multiply('T', a, b, scale, c);
}

}  // namespace notbad::ops
