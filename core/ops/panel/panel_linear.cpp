#include "core/ops/panel/panel_linear.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/prefault.h"
#include "core/ops/gelu.h"
#include "core/ops/panel/panel_product.h"
#include "core/ops/processor.h"
#include "core/ops/row_blocks.h"

namespace notbad::ops::panel {
namespace {

// Tiles that a panel goes over before the next panel has its turn: more read the weights less
// often, fewer leave inputs and outputs in a near cache.
constexpr std::int64_t kBlockTiles = 4;

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

// Where output `index` of a panel stands among its `width`.
template <class Stored>
std::int64_t place_of(std::int64_t index, std::int64_t width) {
  if constexpr (std::is_same_v<Stored, float>) return index;
  return index < width / 2 ? 2 * index : 2 * (index - width / 2) + 1;
}

template <class Stored>
class PanelLinear final : public LinearKernel {
 public:
  // weight [out, in], row by row
  PanelLinear(std::span<const Stored> weight, const Tensor& bias, Activation activation,
              const PanelKernel& kernel)
      : kernel_(kernel),
        in_features_(std::ssize(weight) / bias.dim(0)),
        out_features_(bias.dim(0)),
        activation_(activation),
        num_panels_(round_up(out_features_, kernel.width) / kernel.width),
        block_rows_(kBlockTiles * kernel.max_rows),
        weights_(std::make_unique_for_overwrite<Stored[]>(num_weights())),
        bias_(static_cast<std::size_t>(num_panels_ * kernel.width)) {
    std::ranges::copy(bias.values(), bias_.begin());
    prefault(weights_.get(), num_weights() * sizeof(Stored));
    if (out_features_ % kernel.width != 0) std::fill_n(weights_.get(), num_weights(), Stored{});
    for (std::int64_t output = 0; output < out_features_; ++output) {
      const std::int64_t place = place_of<Stored>(output % kernel.width, kernel.width);
      Stored* to = weights_.get() + output / kernel.width * panel_size() + place;
      for (const Stored value : weight.subspan(static_cast<std::size_t>(output * in_features_),
                                               static_cast<std::size_t>(in_features_))) {
        *to = value;
        to += kernel.width;
      }
    }
  }

  void prepare(std::int64_t rows, Executor& executor) const override {
    executor.note_kernel(std::is_same_v<Stored, float> ? kernel_.f32_name : kernel_.bf16_name);
    if (activation_ == Activation::kGeluErf) prepare_gelu(rows, out_features_, executor);
  }

  void forward(ConstMatrixView x, MatrixView y, Executor& executor) const override {
    for_each_block(x.rows(), block_rows_, [&](std::int64_t begin, std::int64_t rows) {
      const MatrixView block = y.rows_from(begin, rows);
      multiply(x.rows_from(begin, rows), block);
      if (activation_ == Activation::kGeluErf) gelu_in_place(block, executor);
    });
  }

 private:
  std::int64_t panel_size() const { return in_features_ * kernel_.width; }
  std::size_t num_weights() const { return static_cast<std::size_t>(num_panels_ * panel_size()); }

  void multiply(ConstMatrixView x, MatrixView y) const {
    for (std::int64_t panel = 0; panel < num_panels_; ++panel) {
      const std::int64_t begin = panel * kernel_.width;
      multiply_panel(kernel_, tiles(), x, weights_.get() + panel * panel_size(),
                     bias_.data() + begin,
                     y.cols_from(begin, std::min(kernel_.width, out_features_ - begin)));
    }
  }

  const TileFunction* tiles() const {
    return std::is_same_v<Stored, float> ? kernel_.floats : kernel_.bf16;
  }

  const PanelKernel& kernel_;
  std::int64_t in_features_;
  std::int64_t out_features_;
  Activation activation_;
  std::int64_t num_panels_;
  std::int64_t block_rows_;
  std::unique_ptr<Stored[]> weights_;  // [panels, in, width]
  std::vector<float> bias_;            // [panels * width], zero past the last output
};

}  // namespace

std::vector<const PanelKernel*> panel_kernels() {
  std::vector<const PanelKernel*> kernels;
#ifdef NOTBAD_X86_KERNELS
  if (processor_has(Instructions::kAvx2)) kernels.push_back(&avx2_panel_kernel());
  if (processor_has(Instructions::kAvx512)) kernels.push_back(&avx512_panel_kernel());
#endif
  return kernels;
}

std::unique_ptr<const LinearKernel> make_panel_linear(const WeightMatrix& weight,
                                                      const Tensor& bias, Activation activation,
                                                      const PanelKernel& kernel) {
  if (weight.is_bf16()) {
    return std::make_unique<PanelLinear<std::uint16_t>>(weight.bf16(), bias, activation, kernel);
  }
  return std::make_unique<PanelLinear<float>>(weight.floats(), bias, activation, kernel);
}

}  // namespace notbad::ops::panel
