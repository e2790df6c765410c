#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "server/service/batcher.h"
#include "server/service/model_bundle.h"
#include "server/service/sentiment_service.h"
#include "tests/support/test_files.h"

namespace notbad::cli {

// Says negative for sequences of an even number of tokens and positive for odd ones, NaN for those
// of `poisoned_length` tokens.
class ParityRunner : public service::BatchRunner {
 public:
  explicit ParityRunner(std::size_t poisoned_length) : poisoned_length_(poisoned_length) {}

  std::vector<model::SequenceOutput> run(std::span<const model::SequenceInput> batch) override {
    std::vector<model::SequenceOutput> outputs;
    for (const model::SequenceInput& sequence : batch) {
      model::SequenceOutput output;
      const bool is_odd = sequence.ids.size() % 2 == 1;
      output.logits = {is_odd ? -1.0F : 1.0F, is_odd ? 1.0F : -1.0F};
      output.probabilities = {is_odd ? 0.25F : 0.75F, is_odd ? 0.75F : 0.25F};
      if (sequence.ids.size() == poisoned_length_) output.logits[0] = std::nanf("");
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

 private:
  std::size_t poisoned_length_;
};

// The service over the shipped tokenizer and a runner whose answers are known.
class StubServiceTest : public testing::Test {
 protected:
  static constexpr std::size_t kPoisonedLength = 9;
  static constexpr std::int64_t kMaxCharacters = 60;

  void SetUp() override {
    auto bundle = service::ModelBundle::load(test_files::shipped_model());
    ASSERT_TRUE(bundle) << bundle.error().message;
    batcher_ = std::make_unique<service::Batcher>(
        [] { return std::make_unique<ParityRunner>(kPoisonedLength); },
        service::BatcherOptions{.workers = 2});
    service_ = std::make_unique<service::SentimentService>(
        std::move(*bundle), *batcher_, service::ServiceLimits{.characters = kMaxCharacters});
  }

  const service::SentimentService& service() const { return *service_; }

 private:
  std::unique_ptr<service::Batcher> batcher_;
  std::unique_ptr<service::SentimentService> service_;
};

}  // namespace notbad::cli
