#include "core/model/weight_spec.h"

#include "core/model/negation_tags.h"

namespace notbad::model {
namespace {

class SpecList {
 public:
  void add(const std::string& name, const Shape& shape) { specs_.push_back({name, shape}); }

  void add_linear(const std::string& name, std::int64_t out_features, std::int64_t in_features) {
    add(name + ".weight", {out_features, in_features});
    add(name + ".bias", {out_features});
  }

  void add_norm(const std::string& name, std::int64_t features) {
    add(name + ".weight", {features});
    add(name + ".bias", {features});
  }

  std::vector<WeightSpec> take() { return std::move(specs_); }

 private:
  std::vector<WeightSpec> specs_;
};

}  // namespace

std::string layer_prefix(std::int64_t layer) {
  return "encoder.layer." + std::to_string(layer) + ".";
}

std::vector<WeightSpec> weight_specs(const ModelConfig& config) {
  const std::int64_t d_model = config.d_model;
  SpecList list;
  list.add("embeddings.token.weight", {config.vocab_size, d_model});
  list.add("embeddings.position.weight", {config.max_positions, d_model});
  list.add_norm("embeddings.norm", d_model);
  for (std::int64_t layer = 0; layer < config.num_layers; ++layer) {
    const std::string prefix = layer_prefix(layer);
    for (const char* projection : {"query", "key", "value", "output"}) {
      list.add_linear(prefix + "attention." + projection, d_model, d_model);
    }
    list.add_norm(prefix + "attention_norm", d_model);
    list.add_linear(prefix + "feed_forward.up", config.d_ff, d_model);
    list.add_linear(prefix + "feed_forward.down", d_model, config.d_ff);
    list.add_norm(prefix + "feed_forward_norm", d_model);
  }
  list.add_linear("classifier.output", config.num_labels, d_model);
  if (config.tagger) {
    list.add_linear("tagger.cue", kNumCueClasses, d_model);
    list.add_linear("tagger.query", config.tagger->rank, d_model);
    list.add_linear("tagger.key", config.tagger->rank, d_model);
  }
  return list.take();
}

}  // namespace notbad::model
