#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace notbad::model {

enum class Pooling { kMean, kFirst };

// One attention head, counted from 0.
struct HeadIndex {
  std::int64_t layer = 0;
  std::int64_t head = 0;
};

// The tagging head, see NegationTagger.
struct TaggerConfig {
  std::int64_t layer = 0;  // whose output it reads, counted from 0
  std::int64_t rank = 0;   // R
};

// The shape of a model, read from its config.json; nothing of it is compiled in.
struct ModelConfig {
  std::string model_id;
  std::string model_version;
  std::int64_t vocab_size = 0;     // V
  std::int64_t d_model = 0;        // D = H * d_k
  std::int64_t num_heads = 0;      // H
  std::int64_t num_layers = 0;     // L
  std::int64_t d_ff = 0;           // F
  std::int64_t max_positions = 0;  // longest sequence in tokens
  std::int64_t num_labels = 0;     // C
  float norm_eps = 0.0F;           // added to the variance, not to its root
  Pooling pooling = Pooling::kMean;
  std::optional<HeadIndex> negation_head;  // in it the first token of a sequence has the value zero
  std::optional<TaggerConfig> tagger;

  std::int64_t d_k() const { return d_model / num_heads; }

  // Fails with kBadModelFile naming file, member and remedy; D % H != 0 is refused with both
  // numbers.
  static Result<ModelConfig> read(const std::filesystem::path& config_json);
};

}  // namespace notbad::model
