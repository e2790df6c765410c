#include "core/ops/linear.h"

#include <string>

#include "core/base/check.h"
#include "core/ops/amx/amx_linear.h"
#include "core/ops/linear_kernel.h"
#include "core/ops/onednn/low_precision_linear.h"
#include "core/ops/onednn/onednn_linear.h"
#include "core/ops/panel/panel_linear.h"
#include "core/ops/processor.h"

namespace notbad::ops {
namespace {

std::unique_ptr<const LinearKernel> make_kernel(const WeightMatrix& weight, const Tensor& bias,
                                                Activation activation, Dtype dtype,
                                                [[maybe_unused]] InputBits input_bits) {
  check(is_supported(dtype),
        [&] { return "Linear: this processor cannot do " + std::string(name_of(dtype)); });
#ifdef NOTBAD_X86_KERNELS
  const bool has_amx = processor_has(Instructions::kAmx);
  if (dtype == Dtype::kInt8) {
    const auto make = has_amx ? amx::make_int8_linear : onednn::make_int8_linear;
    return make(weight.widened(), bias, activation, input_bits);
  }
  if (has_amx && weight.is_bf16()) {
    const auto parts = dtype == Dtype::kF32 ? amx::InputParts::kExact : amx::InputParts::kRounded;
    return amx::make_bf16_linear(weight, bias, activation, parts);
  }
  if (dtype == Dtype::kBf16) return onednn::make_bf16_linear(weight.widened(), bias, activation);
#endif
  const auto kernels = panel::panel_kernels();
  if (!kernels.empty()) return panel::make_panel_linear(weight, bias, activation, *kernels.back());
  return onednn::make_linear(weight.widened(), bias, activation);
}

}  // namespace

Linear::Linear(const WeightMatrix& weight, const Tensor& bias, Activation activation, Dtype dtype,
               InputBits input_bits)
    : in_features_(weight.dim(1)), out_features_(weight.dim(0)) {
  check(bias.shape() == Shape{out_features_}, [&] {
    return "Linear: expected bias [" + std::to_string(out_features_) + "], found " +
           bias.shape().to_string();
  });
  kernel_ = make_kernel(weight, bias, activation, dtype, input_bits);
}

Linear::~Linear() = default;
Linear::Linear(Linear&&) noexcept = default;
Linear& Linear::operator=(Linear&&) noexcept = default;

void Linear::prepare(std::int64_t rows, Executor& executor) const {
  kernel_->prepare(rows, executor);
}

void Linear::forward(ConstMatrixView x, MatrixView y, Executor& executor) const {
  check(x.cols() == in_features_ && y.cols() == out_features_ && x.rows() == y.rows() &&
            x.is_contiguous() && y.is_contiguous(),
        [&] {
          return "Linear " + Shape{in_features_, out_features_}.to_string() + ": found x " +
                 x.shape().to_string() + " and y " + y.shape().to_string();
        });
  if (x.rows() > 0) kernel_->forward(x, y, executor);
}

}  // namespace notbad::ops
