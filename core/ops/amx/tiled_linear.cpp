#include "core/ops/amx/tiled_linear.h"

#include <algorithm>

#include "core/ops/gelu.h"
#include "core/ops/row_blocks.h"

namespace notbad::ops::amx {
namespace {

// Rows that a panel goes over before the next one has its turn: more read the weights less often,
// fewer leave the inputs in a near cache.
constexpr std::int64_t kBlockRows = 64;

}  // namespace

void TiledLinear::prepare(std::int64_t rows, Executor& executor) const {
  executor.note_kernel(kernel_name());
  executor.staging(staging_bytes(std::min(rows, kBlockRows)));
  if (activation_ == Activation::kGeluErf) prepare_gelu(rows, out_features_, executor);
}

void TiledLinear::forward(ConstMatrixView x, MatrixView y, Executor& executor) const {
  for_each_block(x.rows(), kBlockRows, [&](std::int64_t begin, std::int64_t rows) {
    const ConstMatrixView inputs = x.rows_from(begin, rows);
    const MatrixView outputs = y.rows_from(begin, rows);
    multiply_block(inputs, outputs, executor);
    finish(inputs, outputs);
    if (activation_ == Activation::kGeluErf) gelu_in_place(outputs, executor);
  });
}

// Of the inputs, then of a last panel that y has no room for.
std::int64_t TiledLinear::staging_bytes(std::int64_t rows) const {
  const auto panel = rows * kPanelOutputs * static_cast<std::int64_t>(sizeof(float));
  return input_bytes(rows) + (is_last_panel_whole() ? 0 : panel);
}

void TiledLinear::multiply_block(ConstMatrixView x, MatrixView y, Executor& executor) const {
  const std::int64_t rows = x.rows();
  std::byte* const room = executor.staging(staging_bytes(rows));
  load_inputs(x, room);
  const std::int64_t num_whole = out_features_ / kPanelOutputs;
  multiply_panels(room, rows,
                  {.first = 0, .count = num_whole, .y = y.data(), .y_stride = out_features_});
  if (is_last_panel_whole()) return;
  auto* const last = reinterpret_cast<float*>(room + input_bytes(rows));  // [rows, 32]
  multiply_panels(room, rows,
                  {.first = num_whole, .count = 1, .y = last, .y_stride = kPanelOutputs});
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(last + row * kPanelOutputs, out_features_ % kPanelOutputs,
                y.row(row).data() + num_whole * kPanelOutputs);
  }
}

}  // namespace notbad::ops::amx
