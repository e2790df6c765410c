#include "server/cli/engine.h"

#include <algorithm>
#include <utility>

#include "server/service/classifier_runner.h"
#include "server/service/model_bundle.h"

namespace notbad::cli {
namespace {

constexpr std::int64_t kBatchTokens = 1024;

}  // namespace

Result<Engine> Engine::load(const std::filesystem::path& model_directory, std::int64_t workers,
                            ops::Dtype dtype) {
  Result<service::ModelBundle> bundle = service::ModelBundle::load(model_directory, dtype);
  if (!bundle) return tl::unexpected(bundle.error());

  service::ServiceLimits limits;
  limits.inputs = kChunk;
  limits.tokens = std::min(limits.tokens, bundle->config.max_positions);
  Engine engine;
  engine.workers_ = workers;
  engine.batcher_ = std::make_unique<service::Batcher>(
      service::classifier_runners(bundle->classifier, kBatchTokens),
      service::BatcherOptions{.workers = workers,
                              .batch_tokens = kBatchTokens,
                              // Room for all that BulkClassifier has in flight: nothing is refused.
                              .queue_tokens = (workers + 2) * kChunk * limits.tokens});
  engine.service_ =
      std::make_unique<service::SentimentService>(std::move(*bundle), *engine.batcher_, limits);
  return engine;
}

}  // namespace notbad::cli
