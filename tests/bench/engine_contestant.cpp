#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/model/classifier.h"
#include "core/model/multi_head_attention.h"
#include "core/model/workspace.h"
#include "core/ops/executor.h"
#include "core/ops/linear.h"
#include "tests/support/random_values.h"

// The engine's side of compare.sh and instructions.sh:
// engine_contestant MODEL_DIR [BATCH_TOKENS [DTYPE]]
//
// Reads a task a line and answers each with one line: the processor time of a pass in seconds, the
// median of as many passes as fit kEnough. Processor time and not the clock, because whoever shares
// the core would count too. IDS is a file with a sentence a line, its token ids between blanks.
//   alone IDS       every sentence by itself
//   clock IDS       alone, but by the clock, for comparison with what a client of the server sees
//   packed IDS      sentences in the order of the file, in batches of up to BATCH_TOKENS
//   maps IDS        alone, with the maps of every layer and head
//   matmuls T       nothing but the linear layers' matmuls, T rows
//   textbook        32 x 100 positions through multi-head attention of D 512 and H 8, maps returned
//   logits IDS OUT  writes the logits of every sentence to OUT and answers 0
//   packs N         runs N packs of random sentences, and answers by how many MiB the resident
//                   memory grew after the first tenth of them

namespace notbad {
namespace {

using Sentences = std::vector<std::vector<std::int32_t>>;

constexpr const char* kBatchTokens = "1024";  // as the server packs them unless told otherwise
constexpr double kEnough = 0.4;               // seconds
constexpr std::size_t kMostPasses = 2000;

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median_seconds(const std::function<void()>& pass,
                      clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  std::vector<double> times;
  const double start = seconds_of(clock);
  double last = start;
  while (times.empty() || (last - start < kEnough && times.size() < kMostPasses)) {
    pass();
    const double now = seconds_of(clock);
    times.push_back(now - last);
    last = now;
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

Sentences read_ids(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Sentences sentences;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::int32_t>& ids = sentences.emplace_back();
    for (std::int32_t id = 0; words >> id;) ids.push_back(id);
  }
  return sentences;
}

class Engine {
 public:
  Engine(const std::string& model, std::int64_t batch_tokens, ops::Dtype dtype)
      : batch_tokens_(batch_tokens) {
    auto loaded = model::Classifier::load(model, dtype);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    classifier_ = std::move(*loaded);
    workspace_ = classifier_->make_workspace(batch_tokens_);
  }

  model::SequenceOutput classify(const std::vector<std::int32_t>& ids,
                                 const model::ForwardOptions& options) {
    const model::SequenceInput input{ids, options};
    return std::move(classifier_->forward({&input, 1}, *workspace_).front());
  }

  void alone(const Sentences& sentences, const model::ForwardOptions& options) {
    for (const auto& ids : sentences) classify(ids, options);
  }

  void packed(const Sentences& sentences) {
    const model::ForwardOptions options;
    std::vector<model::SequenceInput> batch;
    std::int64_t tokens = 0;
    for (const auto& ids : sentences) {
      if (tokens + std::ssize(ids) > batch_tokens_) {
        classifier_->forward(batch, *workspace_);
        batch.clear();
        tokens = 0;
      }
      batch.push_back({ids, options});
      tokens += std::ssize(ids);
    }
    classifier_->forward(batch, *workspace_);
  }

  model::ForwardOptions all_maps() const {
    model::ForwardOptions options;
    for (std::int64_t i = 0; i < config().num_layers; ++i) options.attention.layers.push_back(i);
    for (std::int64_t i = 0; i < config().num_heads; ++i) options.attention.heads.push_back(i);
    return options;
  }

  void write_logits(const Sentences& sentences, const std::string& path) {
    std::ofstream file(path);
    file << std::setprecision(9);
    for (const auto& ids : sentences) {
      for (const float logit : classify(ids, {}).logits) file << logit << ' ';
      file << '\n';
    }
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }

  const model::ModelConfig& config() const { return classifier_->config(); }

 private:
  std::int64_t batch_tokens_;
  std::shared_ptr<const model::Classifier> classifier_;
  model::WorkspacePtr workspace_;
};

double resident_mib() {
  std::ifstream status("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  status >> size >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

double grow_by_packs(Engine& engine, std::int64_t count) {
  std::mt19937 random(1);  // the same packs in every run
  const auto up_to = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  double after_first = 0.0;
  for (std::int64_t pack = 0; pack < count; ++pack) {
    if (pack == count / 10) after_first = resident_mib();
    Sentences sentences(static_cast<std::size_t>(up_to(6)));
    for (auto& ids : sentences) {
      ids.resize(static_cast<std::size_t>(up_to(pack % 50 == 0 ? 128 : 8)));
      for (auto& id : ids) id = static_cast<std::int32_t>(up_to(engine.config().vocab_size) - 1);
    }
    engine.packed(sentences);
  }
  return resident_mib() - after_first;
}

ops::Linear some_linear(std::int64_t out, std::int64_t in) {
  return {testing::random_bf16_tensor(1, {out, in}), Tensor({out})};
}

// Each layer has weights of its own, as in the encoder: they come from the same level of memory.
double time_matmuls(const model::ModelConfig& config, std::int64_t rows) {
  std::vector<std::array<ops::Linear, 4>> layers;
  for (std::int64_t layer = 0; layer < config.num_layers; ++layer) {
    layers.push_back({some_linear(3 * config.d_model, config.d_model),
                      some_linear(config.d_model, config.d_model),
                      some_linear(config.d_ff, config.d_model),
                      some_linear(config.d_model, config.d_ff)});
  }
  ops::Executor executor;
  const Tensor input = testing::random_tensor(2, {rows, config.d_ff});
  Tensor output({rows, std::max(3 * config.d_model, config.d_ff)});
  return median_seconds([&] {
    for (const auto& layer : layers) {
      for (const ops::Linear& op : layer) {
        op.forward({input.data(), rows, op.in_features()}, {output.data(), rows, op.out_features()},
                   executor);
      }
    }
  });
}

double time_textbook() {
  constexpr std::int64_t kWidth = 512;
  constexpr std::int64_t kHeads = 8;
  constexpr std::int64_t kSequences = 32;
  constexpr std::int64_t kLength = 100;
  const auto weights = [](std::uint64_t seed) {
    return model::LinearWeights{testing::random_bf16_tensor(seed, {kWidth, kWidth}, 0.05F),
                                Tensor({kWidth})};
  };
  const auto attention = model::MultiHeadAttention::self_attention(
      {.query = weights(1), .key = weights(2), .value = weights(3), .output = weights(4)}, kHeads);
  if (!attention) throw std::runtime_error(attention.error().message);
  model::ModelConfig config;
  config.d_model = kWidth;
  config.num_heads = kHeads;
  config.d_ff = 1;
  config.max_positions = kLength;
  model::Workspace workspace(config, kSequences * kLength);
  const std::vector<std::int64_t> heads{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<model::AttentionRequest> requests;
  for (std::int64_t i = 0; i < kSequences; ++i) {
    const model::RowRange rows{i * kLength, kLength};
    model::AttentionRequest& request = requests.emplace_back();
    request.queries = rows;
    request.keys = rows;
    request.captured_heads = heads;
  }
  const Tensor x = testing::random_tensor(5, {kSequences * kLength, kWidth});
  return median_seconds([&] { attention->forward(x.matrix(), requests, workspace); });
}

double answer(Engine& engine, const std::string& line) {
  std::istringstream words(line);
  std::string task;
  std::string argument;
  words >> task >> argument;
  if (task == "matmuls") return time_matmuls(engine.config(), std::stoll(argument));
  if (task == "textbook") return time_textbook();
  if (task == "packs") return grow_by_packs(engine, std::stoll(argument));
  const Sentences sentences = read_ids(argument);
  if (task == "alone") return median_seconds([&] { engine.alone(sentences, {}); });
  if (task == "clock") {
    return median_seconds([&] { engine.alone(sentences, {}); }, CLOCK_MONOTONIC);
  }
  if (task == "packed") return median_seconds([&] { engine.packed(sentences); });
  if (task == "maps") {
    const auto options = engine.all_maps();
    return median_seconds([&] { engine.alone(sentences, options); });
  }
  if (task != "logits") throw std::runtime_error("no such task: " + task);
  std::string out;
  words >> out;
  engine.write_logits(sentences, out);
  return 0;
}

}  // namespace
}  // namespace notbad

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 4) {
    throw std::runtime_error(
        "engine_contestant MODEL_DIR [BATCH_TOKENS [DTYPE]], tasks on standard input");
  }
  const auto dtype = notbad::ops::dtype_named(argc > 3 ? argv[3] : "f32");
  if (!dtype) throw std::runtime_error(std::string("no such dtype: ") + argv[3]);
  notbad::Engine engine(argv[1], std::stoll(argc > 2 ? argv[2] : notbad::kBatchTokens), *dtype);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << notbad::answer(engine, line) << std::endl;
  }
  return 0;
} catch (const std::exception& failure) {
  std::cerr << "engine_contestant: " << failure.what() << '\n';
  return 1;
}
