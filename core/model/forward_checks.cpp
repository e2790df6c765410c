#include "core/model/forward_checks.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"

namespace notbad::model {
namespace {

void check_index(const char* what, std::int64_t index, std::int64_t end) {
  check(index >= 0 && index < end, [&] {
    return "Classifier: expected " + std::string(what) + " below " + std::to_string(end) +
           ", found " + std::to_string(index);
  });
}

// The indices that an intervention has besides layer and head.
void check_tokens(const HeadOff&, std::int64_t) {}
void check_tokens(const HeadUniform&, std::int64_t) {}
void check_tokens(const CutLink& cut, std::int64_t length) {
  check_index("the token that looks", cut.from, length);
  check_index("the token looked at", cut.to, length);
}

void check_options(const ForwardOptions& options, const ModelConfig& config, std::int64_t length) {
  for (const std::int64_t layer : options.attention.layers) {
    check_index("a layer to capture", layer, config.num_layers);
  }
  for (const std::int64_t head : options.attention.heads) {
    check_index("a head to capture", head, config.num_heads);
  }
  for (const Intervention& intervention : options.interventions) {
    std::visit(
        [&](const auto& change) {
          check_index("the layer of an intervention", change.layer, config.num_layers);
          check_index("the head of an intervention", change.head, config.num_heads);
          check_tokens(change, length);
        },
        intervention);
  }
  if (options.mask) {
    check(options.mask->shape() == Shape{length, length}, [&] {
      return "Classifier: expected a mask " + Shape{length, length}.to_string() + ", found " +
             options.mask->shape().to_string();
    });
  }
}

}  // namespace

void check_batch(std::span<const SequenceInput> batch, const ModelConfig& config,
                 std::int64_t max_rows) {
  std::int64_t num_rows = 0;  // ΣT
  for (const SequenceInput& sequence : batch) {
    const std::int64_t length = std::ssize(sequence.ids);
    check(length >= 1 && length <= config.max_positions, [&] {
      return "Classifier: expected 1 to " + std::to_string(config.max_positions) +
             " tokens, found " + std::to_string(length);
    });
    for (const std::int32_t id : sequence.ids) check_index("a token id", id, config.vocab_size);
    check_options(sequence.options, config, length);
    num_rows += length;
  }
  check(num_rows <= max_rows, [&] {
    return "Classifier: expected at most " + std::to_string(max_rows) +
           " tokens in a batch, found " + std::to_string(num_rows);
  });
}

}  // namespace notbad::model
