#include <benchmark/benchmark.h>

#include "core/ops/elementwise.h"
#include "core/ops/executor.h"
#include "core/ops/layer_norm.h"
#include "core/ops/linear.h"
#include "core/ops/masked_softmax.h"
#include "core/ops/matmul.h"
#include "tests/support/random_values.h"

// Each op of a layer by itself, in the sizes of the shipped model: D 384, H 12, d_k 32, F 1536.
// The argument is ΣT, or T where the op runs on one sequence.

namespace notbad {
namespace {

using testing::random_tensor;

constexpr std::int64_t kWidth = 384;
constexpr std::int64_t kInner = 1536;
constexpr std::int64_t kHeads = 12;
constexpr std::int64_t kHeadWidth = 32;

// The weights of a layer stay in the cache here; in an encoder they come from further away.
void linear(benchmark::State& state, std::int64_t out, std::int64_t in,
            ops::Activation activation) {
  const ops::Linear op(random_tensor(1, {out, in}), Tensor({out}), activation);
  const std::int64_t rows = state.range(0);
  const Tensor x = random_tensor(2, {rows, in});
  Tensor y({rows, out});
  ops::Executor executor;
  for (auto _ : state) op.forward(x.matrix(), y.matrix(), executor);
  state.counters["flops"] = benchmark::Counter(static_cast<double>(2 * rows * in * out),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

void project(benchmark::State& state) { linear(state, 3 * kWidth, kWidth, ops::Activation::kNone); }
void output(benchmark::State& state) { linear(state, kWidth, kWidth, ops::Activation::kNone); }
void up_with_gelu(benchmark::State& state) {
  linear(state, kInner, kWidth, ops::Activation::kGeluErf);
}
void down(benchmark::State& state) { linear(state, kWidth, kInner, ops::Activation::kNone); }
BENCHMARK(project)->RangeMultiplier(4)->Range(4, 1024);
BENCHMARK(output)->RangeMultiplier(4)->Range(4, 1024);
BENCHMARK(up_with_gelu)->RangeMultiplier(4)->Range(4, 1024);
BENCHMARK(down)->RangeMultiplier(4)->Range(4, 1024);

void layer_norm(benchmark::State& state) {
  const ops::LayerNorm op(random_tensor(1, {kWidth}), random_tensor(2, {kWidth}), 1e-12F);
  Tensor x = random_tensor(3, {state.range(0), kWidth});
  for (auto _ : state) op.forward(x.matrix());
}
BENCHMARK(layer_norm)->RangeMultiplier(4)->Range(4, 1024);

void residual(benchmark::State& state) {
  Tensor x({state.range(0), kWidth});
  const Tensor y = random_tensor(1, {state.range(0), kWidth});
  for (auto _ : state) ops::add_in_place(x.matrix(), y.matrix());
}
BENCHMARK(residual)->RangeMultiplier(4)->Range(4, 1024);

void softmax_of_all_heads(benchmark::State& state) {
  const std::int64_t length = state.range(0);
  Tensor scores = random_tensor(1, {kHeads * length, length});
  ops::Executor executor;
  for (auto _ : state) ops::masked_softmax(scores.matrix(), {});
}
BENCHMARK(softmax_of_all_heads)->RangeMultiplier(4)->Range(4, 256);

// q kᵀ and then weights times v of one head inside a packed projection.
void products_of_a_head(benchmark::State& state) {
  const std::int64_t length = state.range(0);
  const Tensor qkv = random_tensor(1, {length, 3 * kWidth});
  Tensor scores({length, length});
  Tensor context({length, kWidth});
  ops::Executor executor;
  const auto part = [&](std::int64_t begin) {
    return qkv.matrix().cols_from(begin, kHeadWidth);  // [T, d_k]
  };
  for (auto _ : state) {
    ops::matmul_transposed(part(0), part(kWidth), 0.177F, scores.matrix(), executor);
    ops::matmul(scores.matrix(), part(2 * kWidth), context.matrix().cols_from(0, kHeadWidth),
                executor);
  }
}
BENCHMARK(products_of_a_head)->RangeMultiplier(4)->Range(4, 256);

}  // namespace
}  // namespace notbad
