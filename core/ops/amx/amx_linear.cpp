#include "core/ops/amx/amx_linear.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/ops/amx/amx_kernel.h"
#include "core/ops/amx/tile_panels.h"
#include "core/ops/amx/tiled_linear.h"
#include "core/ops/int8/weight_scaling.h"

namespace notbad::ops::amx {
namespace {

class Bf16Linear final : public TiledLinear {
 public:
  // weight [out, in], row by row
  Bf16Linear(std::span<const std::uint16_t> weight, const Tensor& bias, Activation activation,
             InputParts parts)
      : TiledLinear(std::ssize(weight) / bias.dim(0), bias.dim(0), activation),
        num_parts_(static_cast<std::int64_t>(parts)),
        panels_(weight, bias.dim(0)),
        bias_(static_cast<std::size_t>(panels_.count() * kPanelOutputs)) {
    std::ranges::copy(bias.values(), bias_.begin());
  }

 private:
  const char* kernel_name() const override {
    return num_parts_ == 1 ? "amx:bf16" : "amx:f32_by_bf16_weights";
  }

  std::int64_t input_bytes(std::int64_t rows) const override {
    return round_up(rows, kTileRows) / kTileRows * tile_row_size<Bf16>(in_features()) * num_parts_ *
           static_cast<std::int64_t>(sizeof(Bf16::Input));
  }

  void load_inputs(ConstMatrixView x, std::byte* inputs) const override {
    split_rows(x.data(), x.rows(), in_features(), num_parts_,
               reinterpret_cast<Bf16::Input*>(inputs));
  }

  void multiply_panels(const std::byte* inputs, std::int64_t rows,
                       const PanelRange& range) const override {
    multiply(Bf16Block{.parts = reinterpret_cast<const Bf16::Input*>(inputs),
                       .rows = rows,
                       .num_parts = num_parts_,
                       .in_features = in_features(),
                       .panels = panels_.from(range.first),
                       .bias = bias_.data() + range.first * kPanelOutputs,
                       .num_panels = range.count,
                       .y = range.y,
                       .y_stride = range.y_stride});
  }

  std::int64_t num_parts_;
  TilePanels<Bf16> panels_;
  std::vector<float> bias_;  // [panels * 32], zero past the last output
};

class Int8Linear final : public TiledLinear {
 public:
  Int8Linear(const Shape& shape, int8::QuantizedWeights weights, Activation activation,
             InputBits input_bits)
      : TiledLinear(shape.dim(1), shape.dim(0), activation),
        num_passes_(input_bits == InputBits::k16 ? 2 : 1),
        panels_(weights.bytes, shape.dim(0)),
        scaling_(std::move(weights.scaling)) {}

 private:
  const char* kernel_name() const override { return "amx:int8"; }

  // The rows' scalings, then their bytes.
  std::int64_t input_bytes(std::int64_t rows) const override {
    return scaling_bytes(rows) +
           round_up(rows, kTileRows) / kTileRows * tile_row_size<Int8>(in_features()) * num_passes_;
  }

  static std::int64_t scaling_bytes(std::int64_t rows) {
    return round_up(rows * static_cast<std::int64_t>(sizeof(int8::RowScaling)), kRowBytes);
  }

  void load_inputs(ConstMatrixView x, std::byte* inputs) const override {
    quantize_rows(x.data(), x.rows(), in_features(), num_passes_,
                  reinterpret_cast<Int8::Input*>(inputs + scaling_bytes(x.rows())),
                  reinterpret_cast<int8::RowScaling*>(inputs));
  }

  void multiply_panels(const std::byte* inputs, std::int64_t rows,
                       const PanelRange& range) const override {
    multiply(Int8Block{.bytes = reinterpret_cast<const Int8::Input*>(inputs + scaling_bytes(rows)),
                       .scalings = reinterpret_cast<const int8::RowScaling*>(inputs),
                       .rows = rows,
                       .num_passes = num_passes_,
                       .in_features = in_features(),
                       .panels = panels_.from(range.first),
                       .outputs = scaling_.outputs().from(range.first * kPanelOutputs),
                       .num_panels = range.count,
                       .y = range.y,
                       .y_stride = range.y_stride});
  }

  void finish(ConstMatrixView x, MatrixView y) const override { scaling_.add_outliers(x, y); }

  std::int64_t num_passes_;  // over the weights, one for each byte of the inputs
  TilePanels<Int8> panels_;
  int8::WeightScaling scaling_;
};

}  // namespace

std::unique_ptr<const LinearKernel> make_bf16_linear(const WeightMatrix& weight, const Tensor& bias,
                                                     Activation activation, InputParts parts) {
  return std::make_unique<Bf16Linear>(weight.bf16(), bias, activation, parts);
}

std::unique_ptr<const LinearKernel> make_int8_linear(const Tensor& weight, const Tensor& bias,
                                                     Activation activation, InputBits input_bits) {
  auto weights = int8::quantize(weight, bias, num_panels(bias.dim(0)) * kPanelOutputs);
  return std::make_unique<Int8Linear>(weight.shape(), std::move(weights), activation, input_bits);
}

}  // namespace notbad::ops::amx
