#include <benchmark/benchmark.h>

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/model/classifier.h"
#include "core/ops/executor.h"
#include "core/ops/linear.h"
#include "tests/support/random_model.h"

namespace notbad {
namespace {

constexpr std::int64_t kMaxTokens = 256;

// The shape of the shipped model, with random weights.
model::ModelConfig shipped_shape() {
  model::ModelConfig config;
  config.vocab_size = 2000;
  config.d_model = 384;
  config.num_heads = 12;
  config.num_layers = 6;
  config.d_ff = 1536;
  config.max_positions = kMaxTokens;
  config.num_labels = 2;
  return config;
}

// Made at first use and kept.
const model::Classifier& classifier(ops::Dtype dtype = ops::Dtype::kF32) {
  static std::map<ops::Dtype, std::shared_ptr<const model::Classifier>> loaded;
  auto& classifier = loaded[dtype];
  if (classifier == nullptr) {
    const testing::TemporaryFolder folder;
    testing::write_model(folder, shipped_shape(), testing::random_weights(shipped_shape()));
    auto result = model::Classifier::load(folder.path(), dtype);
    if (!result) throw std::runtime_error(result.error().message);
    classifier = *result;
  }
  return *classifier;
}

std::vector<std::int32_t> some_ids(std::int64_t length) {
  std::vector<std::int32_t> ids;
  for (std::int64_t t = 0; t < length; ++t) {
    ids.push_back(static_cast<std::int32_t>(t * 7 % shipped_shape().vocab_size));
  }
  return ids;
}

// B sentences of T tokens each, packed, on one thread.
void classify(benchmark::State& state, const model::ForwardOptions& options,
              ops::Dtype dtype = ops::Dtype::kF32) {
  if (!ops::is_supported(dtype)) {
    state.SkipWithError("not on this processor");
    return;
  }
  const std::int64_t batch_size = state.range(0);
  const auto ids = some_ids(state.range(1));
  const model::Classifier& model = classifier(dtype);
  const auto workspace = model.make_workspace(batch_size * state.range(1));
  const std::vector<model::SequenceInput> batch(static_cast<std::size_t>(batch_size),
                                                model::SequenceInput{ids, options});
  for (auto _ : state) benchmark::DoNotOptimize(model.forward(batch, *workspace));
  state.SetItemsProcessed(state.iterations() * batch_size);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"B", "T"})
      ->ArgsProduct({{1}, {4, 8, 16, 17, 32, 64, 128, 256}})
      ->ArgsProduct({{2, 4, 8, 16, 32}, {16, 32}});
}

BENCHMARK_CAPTURE(classify, f32, {}, ops::Dtype::kF32)->Apply(sizes);
BENCHMARK_CAPTURE(classify, bf16, {}, ops::Dtype::kBf16)->Apply(sizes);
BENCHMARK_CAPTURE(classify, int8, {}, ops::Dtype::kInt8)->Apply(sizes);

// The same, with the maps of every layer and head handed back.
void classify_with_maps(benchmark::State& state) {
  const model::AttentionSelection all{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  classify(state, {.attention = all, .interventions = {}, .mask = {}});
}
BENCHMARK(classify_with_maps)
    ->ArgNames({"B", "T"})
    ->ArgsProduct({{1}, {4, 16, 32, 64, 256}})
    ->ArgsProduct({{32}, {32}});

// The floor: nothing but the matmuls of the same layers, each with weights of its own.
void matmuls_alone(benchmark::State& state) {
  const model::ModelConfig config = shipped_shape();
  const std::int64_t rows = state.range(0);
  const auto linear = [](std::int64_t out, std::int64_t in) {
    return ops::Linear(testing::random_bf16_tensor(1, {out, in}), Tensor({out}));
  };
  std::vector<std::array<ops::Linear, 4>> layers;
  for (std::int64_t layer = 0; layer < config.num_layers; ++layer) {
    layers.push_back({linear(3 * config.d_model, config.d_model),
                      linear(config.d_model, config.d_model), linear(config.d_ff, config.d_model),
                      linear(config.d_model, config.d_ff)});
  }
  ops::Executor executor;
  const Tensor wide = testing::random_tensor(2, {rows, config.d_ff});
  Tensor result({rows, config.d_ff});
  for (auto _ : state) {
    for (const auto& layer : layers) {
      for (const ops::Linear& op : layer) {
        op.forward({wide.data(), rows, op.in_features()}, {result.data(), rows, op.out_features()},
                   executor);
      }
    }
  }
}
BENCHMARK(matmuls_alone)->RangeMultiplier(2)->Range(4, 256)->Arg(17);

// What a worker pays before it is ready; the first one in a process also compiles the kernels.
void make_workspace(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(classifier().make_workspace(state.range(0)));
}
BENCHMARK(make_workspace)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace notbad
