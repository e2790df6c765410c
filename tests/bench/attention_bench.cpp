#include <benchmark/benchmark.h>

#include <stdexcept>
#include <vector>

#include "core/model/multi_head_attention.h"
#include "core/model/workspace.h"
#include "tests/support/random_values.h"

namespace notbad {
namespace {

struct Sizes {
  std::int64_t d_model;
  std::int64_t num_heads;
  std::int64_t batch;   // B sequences
  std::int64_t length;  // of T tokens each
};

enum class Maps { kNone, kAll };

void attend(benchmark::State& state, const Sizes& sizes, Maps maps) {
  const auto weights = [&](std::uint64_t seed) {
    return model::LinearWeights{testing::random_tensor(seed, {sizes.d_model, sizes.d_model}, 0.05F),
                                Tensor({sizes.d_model})};
  };
  const auto attention = model::MultiHeadAttention::self_attention(
      {.query = weights(1), .key = weights(2), .value = weights(3), .output = weights(4)},
      sizes.num_heads);
  if (!attention) throw std::runtime_error(attention.error().message);
  model::ModelConfig config;
  config.d_model = sizes.d_model;
  config.num_heads = sizes.num_heads;
  config.d_ff = 1;  // the workspace's part for it is not used
  config.max_positions = sizes.length;
  model::Workspace workspace(config, sizes.batch * sizes.length);
  std::vector<std::int64_t> heads;
  if (maps == Maps::kAll) {
    for (std::int64_t head = 0; head < sizes.num_heads; ++head) heads.push_back(head);
  }
  std::vector<model::AttentionRequest> requests(static_cast<std::size_t>(sizes.batch));
  for (std::int64_t i = 0; i < sizes.batch; ++i) {
    auto& request = requests[static_cast<std::size_t>(i)];
    request.queries = {i * sizes.length, sizes.length};
    request.keys = request.queries;
    request.captured_heads = heads;
  }
  const Tensor x = testing::random_tensor(5, {sizes.batch * sizes.length, sizes.d_model});
  for (auto _ : state) {
    benchmark::DoNotOptimize(attention->forward(x.matrix(), requests, workspace));
  }
}

// One layer of the shipped model: B sequences of T tokens.
void attention(benchmark::State& state) {
  attend(state, {384, 12, state.range(0), state.range(1)}, Maps::kNone);
}
void attention_with_maps(benchmark::State& state) {
  attend(state, {384, 12, state.range(0), state.range(1)}, Maps::kAll);
}
BENCHMARK(attention)->ArgNames({"B", "T"})->ArgsProduct({{1}, {4, 8, 16, 32, 64, 128, 256}});
BENCHMARK(attention)->ArgNames({"B", "T"})->ArgsProduct({{4, 32}, {8, 32}});
BENCHMARK(attention_with_maps)->ArgNames({"B", "T"})->ArgsProduct({{1}, {4, 32, 256}});

void textbook_attention_with_maps(benchmark::State& state) {
  attend(state, {512, 8, 32, 100}, Maps::kAll);
}
BENCHMARK(textbook_attention_with_maps);

}  // namespace
}  // namespace notbad
