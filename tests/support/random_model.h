#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "core/model/model_config.h"
#include "core/model/weight_spec.h"
#include "core/tensor/tensor.h"
#include "tests/support/random_values.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/temporary_folder.h"

namespace notbad::testing {

inline std::string config_json(const model::ModelConfig& config) {
  const auto number = [](const char* name, std::int64_t value) {
    return std::string("\"") + name + "\":" + std::to_string(value) + ",";
  };
  return R"({"format_version":1,"model":{"id":"random","version":"0"},"architecture":{)" +
         number("vocab_size", config.vocab_size) + number("d_model", config.d_model) +
         number("num_heads", config.num_heads) + number("num_layers", config.num_layers) +
         number("d_ff", config.d_ff) + number("max_positions", config.max_positions) +
         number("num_labels", config.num_labels) +
         R"("norm_eps":1e-12,"norm":"post","activation":"gelu_erf","pooling":")" +
         (config.pooling == model::Pooling::kMean ? "mean" : "first") + R"("}})";
}

// Seeded and distinct weights of the size that keeps every layer's values near 1, by name.
inline std::map<std::string, Tensor> random_weights(const model::ModelConfig& config) {
  std::map<std::string, Tensor> weights;
  std::uint64_t seed = 1000;
  for (const model::WeightSpec& spec : model::weight_specs(config)) {
    const auto inputs = static_cast<float>(spec.shape.dim(-1));
    const bool is_linear = spec.shape.rank() == 2 && !spec.name.starts_with("embeddings.");
    Tensor weight = random_tensor(seed++, spec.shape, is_linear ? 3.0F / std::sqrt(inputs) : 0.5F);
    if (spec.name.ends_with("norm.weight")) {
      for (float& value : weight.values()) value += 1.0F;
    }
    weights.emplace(spec.name, std::move(weight));
  }
  return weights;
}

// A folder that Classifier::load() takes.
inline void write_model(const TemporaryFolder& folder, const model::ModelConfig& config,
                        const std::map<std::string, Tensor>& weights) {
  SafetensorsWriter writer;
  for (const auto& [name, weight] : weights) {
    writer.add(name, "F32", weight.shape(), bytes_of(weight.values()));
  }
  folder.write("config.json", config_json(config));
  folder.write("model.safetensors", writer.bytes());
}

}  // namespace notbad::testing
