#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/prefault.h"
#include "core/ops/amx/amx_kernel.h"

namespace notbad::ops::amx {

// Rounded up: the last panel may have outputs that the layer has not.
constexpr std::int64_t num_panels(std::int64_t out_features) {
  return (out_features + kPanelOutputs - 1) / kPanelOutputs;
}

// Weights in the order in which tiles take them. Numbers: Bf16 or Int8.
template <class Numbers>
class TilePanels {
 public:
  using Weight = typename Numbers::Weight;

  // weight [out, in], row by row
  TilePanels(std::span<const Weight> weight, std::int64_t out_features)
      : out_features_(out_features),
        panel_size_(amx::panel_size<Numbers>(std::ssize(weight) / out_features)),
        lines_(std::make_unique_for_overwrite<CacheLine[]>(num_lines())) {
    prefault(lines_.get(), num_lines() * sizeof(CacheLine));
    const std::int64_t in_features = std::ssize(weight) / out_features;
    if (out_features % kPanelOutputs != 0 || in_features % kStepInputs<Numbers> != 0) {
      std::fill_n(lines_.get(), num_lines(), CacheLine{});
    }
    constexpr std::int64_t kLane = kLaneInputs<Numbers>;
    for (std::int64_t output = 0; output < out_features; ++output) {
      const Weight* const row = weight.data() + output * in_features;
      Weight* const column = lines_[0].weights + output / kPanelOutputs * panel_size_ +
                             place_in_panel<Numbers>(0, output % kPanelOutputs);
      std::int64_t input = 0;
      for (; input + kLane <= in_features; input += kLane) {
        std::copy_n(row + input, kLane, column + place_in_panel<Numbers>(input, 0));
      }
      if (input == in_features) continue;
      std::copy_n(row + input, in_features - input, column + place_in_panel<Numbers>(input, 0));
    }
  }

  std::int64_t count() const { return num_panels(out_features_); }

  // The panels from `index` on.
  const Weight* from(std::int64_t index) const { return lines_[0].weights + index * panel_size_; }

 private:
  // What a tile is loaded from begins at a cache line.
  struct alignas(kRowBytes) CacheLine {
    Weight weights[kRowBytes / sizeof(Weight)];
  };

  std::size_t num_lines() const {
    return static_cast<std::size_t>(count() * panel_size_) * sizeof(Weight) / sizeof(CacheLine);
  }

  std::int64_t out_features_;
  std::int64_t panel_size_;
  std::unique_ptr<CacheLine[]> lines_;
};

}  // namespace notbad::ops::amx
