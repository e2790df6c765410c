#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/ops/dtype.h"
#include "server/service/batcher.h"
#include "server/service/sentiment_service.h"

namespace notbad::cli {

// A loaded model with its workers, as the server has it, but for one caller that brings much text.
class Engine {
 public:
  static constexpr std::int64_t kChunk = 64;  // texts handed to the service at once

  // `dtype` must be supported. Fails with kBadModelFile where `model_directory` holds no model that
  // this build reads.
  static Result<Engine> load(const std::filesystem::path& model_directory, std::int64_t workers,
                             ops::Dtype dtype);

  const service::SentimentService& service() const { return *service_; }
  std::int64_t workers() const { return workers_; }

 private:
  Engine() = default;

  std::int64_t workers_ = 1;
  std::unique_ptr<service::Batcher> batcher_;
  std::unique_ptr<service::SentimentService> service_;  // refers to *batcher_
};

}  // namespace notbad::cli
