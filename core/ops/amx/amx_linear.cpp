#include "core/ops/amx/amx_linear.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/ops/amx/amx_kernel.h"
#include "core/ops/gelu.h"
#include "core/ops/row_blocks.h"

namespace notbad::ops::amx {
namespace {

// Rows that a panel goes over before the next one has its turn: more read the weights less often,
// fewer leave the inputs in a near cache.
constexpr std::int64_t kBlockRows = 64;

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

// What a tile is loaded from begins at a cache line.
struct alignas(64) CacheLine {
  std::uint16_t values[kStepInputs];
};

class AmxLinear final : public LinearKernel {
 public:
  // weight [out, in], row by row
  AmxLinear(std::span<const std::uint16_t> weight, const Tensor& bias, Activation activation,
            InputParts parts)
      : in_features_(std::ssize(weight) / bias.dim(0)),
        out_features_(bias.dim(0)),
        activation_(activation),
        num_parts_(static_cast<std::int64_t>(parts)),
        num_panels_(round_up(out_features_, kPanelOutputs) / kPanelOutputs),
        panels_(std::make_unique_for_overwrite<CacheLine[]>(num_lines())),
        bias_(static_cast<std::size_t>(num_panels_ * kPanelOutputs)) {
    std::ranges::copy(bias.values(), bias_.begin());
    if (out_features_ % kPanelOutputs != 0 || in_features_ % kStepInputs != 0) {
      std::fill_n(panels_.get(), num_lines(), CacheLine{});
    }
    for (std::int64_t output = 0; output < out_features_; ++output) {
      const auto row = weight.subspan(static_cast<std::size_t>(output * in_features_),
                                      static_cast<std::size_t>(in_features_));
      std::uint16_t* const column = panels_[0].values +
                                    output / kPanelOutputs * panel_size(in_features_) +
                                    place_in_panel(0, output % kPanelOutputs);
      for (std::int64_t input = 0; input < in_features_; input += 2) {  // a pair lies together
        std::copy_n(row.data() + input, std::min<std::int64_t>(2, in_features_ - input),
                    column + place_in_panel(input, 0));
      }
    }
  }

  void prepare(std::int64_t rows, Executor& executor) const override {
    executor.note_kernel(num_parts_ == 1 ? "amx:bf16" : "amx:f32_by_bf16_weights");
    executor.staging(staging_of(rows).bytes);
    if (activation_ == Activation::kGeluErf) prepare_gelu(rows, out_features_, executor);
  }

  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const override {
    for_each_block(x.rows(), kBlockRows, [&](std::int64_t begin, std::int64_t rows) {
      const MatrixView block = y.rows_from(begin, rows);
      multiply_block(x.rows_from(begin, rows), block, executor);
      if (activation_ == Activation::kGeluErf) gelu_in_place(block, executor);
    });
  }

 private:
  // Of the inputs' parts, then of a last panel that y has no room for.
  struct Staging {
    std::int64_t parts;  // bytes of them
    std::int64_t bytes;
  };

  Staging staging_of(std::int64_t rows) const {
    const std::int64_t groups = round_up(std::min(rows, kBlockRows), kTileRows) / kTileRows;
    const auto parts = groups * tile_row_size(in_features_, num_parts_) *
                       static_cast<std::int64_t>(sizeof(std::uint16_t));
    const auto panel =
        groups * kTileRows * kPanelOutputs * static_cast<std::int64_t>(sizeof(float));
    return {parts, parts + (is_last_panel_whole() ? 0 : panel)};
  }

  std::size_t num_lines() const {
    return static_cast<std::size_t>(num_panels_ * panel_size(in_features_) / kStepInputs);
  }

  bool is_last_panel_whole() const { return out_features_ % kPanelOutputs == 0; }

  void multiply_block(ConstMatrixView x, MatrixView y, Executor& executor) const {
    const Staging staging = staging_of(x.rows());
    std::byte* const room = executor.staging(staging.bytes);
    auto* const parts = reinterpret_cast<std::uint16_t*>(room);
    split_rows(x.data(), x.rows(), in_features_, num_parts_, parts);
    const auto multiply_panels = [&](std::int64_t first, std::int64_t count, float* sums,
                                     std::int64_t stride) {
      multiply({.parts = parts,
                .rows = x.rows(),
                .num_parts = num_parts_,
                .in_features = in_features_,
                .panels = panels_[0].values + first * panel_size(in_features_),
                .bias = bias_.data() + first * kPanelOutputs,
                .num_panels = count,
                .y = sums,
                .y_stride = stride});
    };
    const std::int64_t num_whole = out_features_ / kPanelOutputs;
    multiply_panels(0, num_whole, y.data(), out_features_);
    if (is_last_panel_whole()) return;
    auto* const last = reinterpret_cast<float*>(room + staging.parts);  // [rows, 32]
    multiply_panels(num_whole, 1, last, kPanelOutputs);
    for (std::int64_t row = 0; row < y.rows(); ++row) {
      std::copy_n(last + row * kPanelOutputs, out_features_ % kPanelOutputs,
                  y.row(row).data() + num_whole * kPanelOutputs);
    }
  }

  std::int64_t in_features_;
  std::int64_t out_features_;
  Activation activation_;
  std::int64_t num_parts_;
  std::int64_t num_panels_;
  std::unique_ptr<CacheLine[]> panels_;  // [num_panels, panel_size()]
  std::vector<float> bias_;              // [panels * 32], zero past the last output
};

}  // namespace

std::unique_ptr<const LinearKernel> make_amx_linear(const WeightMatrix& weight, const Tensor& bias,
                                                    Activation activation, InputParts parts) {
  return std::make_unique<AmxLinear>(weight.bf16(), bias, activation, parts);
}

}  // namespace notbad::ops::amx
