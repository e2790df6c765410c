#pragma once

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/service/sentiment_service.h"
#include "tests/server/support/scripted_runner.h"
#include "tests/support/test_files.h"

namespace notbad::service {

inline constexpr std::int64_t kTestLayers = 2;
inline constexpr std::int64_t kTestHeads = 3;
inline constexpr std::int64_t kTestPositions = 128;

// The shipped tokenizer with an invented model of kTestLayers and kTestHeads behind it.
inline ModelBundle scripted_bundle(std::vector<std::string> labels = {"negative", "positive"}) {
  auto opened = tokenizer::Tokenizer::open(test_files::shipped_model() / "tokenizer.model");
  if (!opened) throw std::runtime_error(opened.error().message);
  ModelBundle bundle;
  bundle.config = {.model_id = "scripted",
                   .model_version = "1.2.3",
                   .vocab_size = opened->vocab_size(),
                   .d_model = 12,
                   .num_heads = kTestHeads,
                   .num_layers = kTestLayers,
                   .d_ff = 24,
                   .max_positions = kTestPositions,
                   .num_labels = static_cast<std::int64_t>(labels.size()),
                   .negation_head = {},
                   .tagger = {}};
  bundle.tokenizer = std::make_shared<const tokenizer::Tokenizer>(std::move(*opened));
  bundle.labels = std::move(labels);
  bundle.sha256 = std::string(64, 'a');
  return bundle;
}

// A service with everything real but the numbers.
struct ScriptedService {
  explicit ScriptedService(ModelBundle bundle = scripted_bundle(), BatcherOptions options = {},
                           ServiceLimits limits = {})
      : batcher(runners_of(script), options), service(std::move(bundle), batcher, limits) {}

  Script script;
  Batcher batcher;
  SentimentService service;
};

}  // namespace notbad::service
