#include "core/ops/onednn/low_precision_linear.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/ops/gelu.h"
#include "core/ops/int8/row_scaling.h"
#include "core/ops/int8/weight_scaling.h"
#include "core/ops/onednn/executor_impl.h"
#include "core/ops/onednn/linear_parts.h"
#include "core/ops/row_blocks.h"

namespace notbad::ops::onednn {
namespace {

using dnnl::memory;
using DataType = dnnl::memory::data_type;

memory::desc matrix(std::int64_t rows, std::int64_t cols, DataType type) {
  return {{rows, cols}, type, memory::format_tag::ab};
}

memory::desc any_layout(std::int64_t in_features, std::int64_t out_features, DataType type) {
  return {{in_features, out_features}, type, memory::format_tag::any};
}

// [out, in] in memory is [in, out] with the strides of format ba: no transpose is written.
memory::desc stored(std::int64_t in_features, std::int64_t out_features, DataType type) {
  return {{in_features, out_features}, type, memory::format_tag::ba};
}

// In blocks of rows, so that few primitives, which take most of the memory here, serve every batch.
class BlockedLinear : public LinearKernel {
 public:
  void prepare(std::int64_t rows, Executor& executor) const final {
    for_each_block(rows, kBlockRows, [&](std::int64_t, std::int64_t block) {
      executor.staging(staging_bytes(block));
      prepare_block(block, executor);
    });
  }

  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const final {
    for_each_block(x.rows(), kBlockRows, [&](std::int64_t begin, std::int64_t block) {
      forward_block(x.rows_from(begin, block), y.rows_from(begin, block), executor);
    });
  }

 protected:
  // The rows that a block is computed with: products of 16 rows cost as much as those of fewer.
  static std::int64_t padded(std::int64_t rows) {
    return (rows + kRowStep - 1) / kRowStep * kRowStep;
  }

 private:
  static constexpr std::int64_t kRowStep = 16;
  static constexpr std::int64_t kBlockRows = 128;

  virtual std::int64_t staging_bytes(std::int64_t rows) const = 0;
  virtual void prepare_block(std::int64_t rows, Executor& executor) const = 0;
  virtual void forward_block(ConstMatrixView x, MatrixView y, Executor& executor) const = 0;
};

// Values of one type inside the executor's staging, one after the other.
class Staging {
 public:
  // `room`: that of the executor.
  explicit Staging(std::byte* room) : next_(room) {}

  template <class Value>
  Value* take(std::int64_t count) {
    auto* const values = reinterpret_cast<Value*>(next_);
    next_ += bytes<Value>(count);
    return values;
  }

  // Of `count` values, rounded up, so that whatever comes next is aligned.
  template <class Value>
  static std::int64_t bytes(std::int64_t count) {
    constexpr std::int64_t kAlignment = 64;
    const auto exact = count * static_cast<std::int64_t>(sizeof(Value));
    return (exact + kAlignment - 1) / kAlignment * kAlignment;
  }

 private:
  std::byte* next_;
};

class Bf16Linear final : public BlockedLinear {
 public:
  Bf16Linear(const Tensor& weight, const Tensor& bias, Activation activation)
      : in_features_(weight.dim(1)),
        out_features_(weight.dim(0)),
        activation_(activation),
        weights_(reordered(
            weight.data(), stored(in_features_, out_features_, DataType::f32),
            product_of(kLayoutRows, any_layout(in_features_, out_features_, DataType::bf16))
                .weights_desc())),
        bias_(row_of(bias)) {}

 private:
  std::int64_t staging_bytes(std::int64_t rows) const override {
    return Staging::bytes<std::uint16_t>(padded(rows) * in_features_) +
           Staging::bytes<float>(padded(rows) * out_features_);
  }

  void prepare_block(std::int64_t rows, Executor& executor) const override {
    rounding(rows, executor);
    product(padded(rows), executor);
  }

  void forward_block(ConstMatrixView x, MatrixView y, Executor& executor) const override {
    const std::int64_t rows = padded(x.rows());
    Staging staging(executor.staging(staging_bytes(x.rows())));
    auto* const rounded = staging.take<std::uint16_t>(rows * in_features_);  // [rows, in]
    // Rows past those of y must not be written there.
    float* const sums = rows == x.rows() ? y.data() : staging.take<float>(rows * out_features_);

    PreparedPrimitive& round = rounding(x.rows(), executor);
    round.bind(DNNL_ARG_FROM, x.data());
    round.arguments.at(DNNL_ARG_TO).set_data_handle(rounded);
    executor.impl().run(round);
    PreparedPrimitive& multiply = product(rows, executor);
    multiply.arguments.at(DNNL_ARG_SRC).set_data_handle(rounded);
    multiply.bind(DNNL_ARG_DST, sums);
    multiply.arguments[DNNL_ARG_WEIGHTS] = weights_;
    multiply.arguments[DNNL_ARG_BIAS] = bias_;
    executor.impl().run(multiply);
    if (sums != y.data()) std::copy_n(sums, y.rows() * y.cols(), y.data());
  }

  PreparedPrimitive& rounding(std::int64_t rows, Executor& executor) const {
    const PrimitiveKey key{
        .op = PrimitiveKey::Op::kToBf16, .rows = rows, .in_features = in_features_};
    return executor.impl().prepare<dnnl::reorder>(key, [&] {
      return dnnl::reorder::primitive_desc(cpu_engine(), matrix(rows, in_features_, DataType::f32),
                                           cpu_engine(), matrix(rows, in_features_, DataType::bf16),
                                           user_scratchpad());
    });
  }

  PreparedPrimitive& product(std::int64_t rows, Executor& executor) const {
    const PrimitiveKey key{.op = PrimitiveKey::Op::kBf16Linear,
                           .rows = rows,
                           .in_features = in_features_,
                           .out_features = out_features_,
                           .activation = static_cast<int>(activation_)};
    return executor.impl().prepare<dnnl::matmul>(
        key, [&] { return product_of(rows, weights_.get_desc()); });
  }

  dnnl::matmul::primitive_desc product_of(std::int64_t rows, const memory::desc& weights) const {
    return matmul_desc(matrix(rows, in_features_, DataType::bf16), weights,
                       matrix(1, out_features_, DataType::f32),
                       matrix(rows, out_features_, DataType::f32), linear_attributes(activation_));
  }

  std::int64_t in_features_;
  std::int64_t out_features_;
  Activation activation_;
  memory weights_;  // in oneDNN's own layout
  memory bias_;     // [1, out]
};

class Int8Linear final : public BlockedLinear {
 public:
  Int8Linear(const Shape& shape, int8::QuantizedWeights weights, Activation activation,
             InputBits input_bits)
      : in_features_(shape.dim(1)),
        out_features_(shape.dim(0)),
        activation_(activation),
        num_passes_(input_bits == InputBits::k16 ? 2 : 1),
        scaling_(std::move(weights.scaling)),
        weights_(
            reordered(weights.bytes.data(), stored(in_features_, out_features_, DataType::s8),
                      product_of(kLayoutRows, any_layout(in_features_, out_features_, DataType::s8))
                          .weights_desc())) {}

 private:
  std::int64_t staging_bytes(std::int64_t rows) const override {
    const std::int64_t all = num_passes_ * padded(rows);
    return Staging::bytes<std::int32_t>(all * out_features_) +
           Staging::bytes<std::uint8_t>(all * in_features_) +
           Staging::bytes<int8::RowScaling>(rows);
  }

  void prepare_block(std::int64_t rows, Executor& executor) const override {
    product(num_passes_ * padded(rows), executor);
    if (activation_ == Activation::kGeluErf) prepare_gelu(rows, out_features_, executor);
  }

  void forward_block(ConstMatrixView x, MatrixView y, Executor& executor) const override {
    const std::int64_t rows = padded(x.rows());
    const std::int64_t all = num_passes_ * rows;
    Staging staging(executor.staging(staging_bytes(x.rows())));
    auto* const sums = staging.take<std::int32_t>(all * out_features_);    // [all, out]
    auto* const rounded = staging.take<std::uint8_t>(all * in_features_);  // [all, in]
    auto* const scalings = staging.take<int8::RowScaling>(x.rows());
    for (std::int64_t row = 0; row < x.rows(); ++row) {
      std::uint8_t* const first = rounded + row * in_features_;
      scalings[row] = int8::quantize_inputs(
          x.row(row).data(), in_features_,
          {.first = first, .second = num_passes_ == 2 ? first + rows * in_features_ : nullptr});
    }
    PreparedPrimitive& multiply = product(all, executor);
    multiply.arguments.at(DNNL_ARG_SRC).set_data_handle(rounded);
    multiply.arguments.at(DNNL_ARG_DST).set_data_handle(sums);
    multiply.arguments[DNNL_ARG_WEIGHTS] = weights_;
    executor.impl().run(multiply);
    int8::rescale({.first = sums,
                   .second = num_passes_ == 2 ? sums + rows * out_features_ : nullptr,
                   .rows = y.rows(),
                   .outputs = out_features_},
                  scalings, scaling_.outputs(), y.data(), out_features_);
    scaling_.add_outliers(x, y);
    if (activation_ == Activation::kGeluErf) gelu_in_place(y, executor);
  }

  PreparedPrimitive& product(std::int64_t rows, Executor& executor) const {
    const PrimitiveKey key{.op = PrimitiveKey::Op::kInt8Linear,
                           .rows = rows,
                           .in_features = in_features_,
                           .out_features = out_features_};
    return executor.impl().prepare<dnnl::matmul>(
        key, [&] { return product_of(rows, weights_.get_desc()); });
  }

  dnnl::matmul::primitive_desc product_of(std::int64_t rows, const memory::desc& weights) const {
    return matmul_desc(matrix(rows, in_features_, DataType::u8), weights,
                       matrix(rows, out_features_, DataType::s32), user_scratchpad());
  }

  std::int64_t in_features_;
  std::int64_t out_features_;
  Activation activation_;
  std::int64_t num_passes_;  // over the weights, one for each byte of the inputs
  int8::WeightScaling scaling_;
  memory weights_;  // in oneDNN's own layout
};

}  // namespace

std::unique_ptr<const LinearKernel> make_bf16_linear(const Tensor& weight, const Tensor& bias,
                                                     Activation activation) {
  return translate_errors("pack weights in BF16", [&] {
    return std::make_unique<const Bf16Linear>(weight, bias, activation);
  });
}

std::unique_ptr<const LinearKernel> make_int8_linear(const Tensor& weight, const Tensor& bias,
                                                     Activation activation, InputBits input_bits) {
  return translate_errors("pack weights in int8", [&] {
    return std::make_unique<const Int8Linear>(
        weight.shape(), int8::quantize(weight, bias, bias.dim(0)), activation, input_bits);
  });
}

}  // namespace notbad::ops::onednn
