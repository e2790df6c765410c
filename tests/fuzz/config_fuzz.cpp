// config.json: refused with a reason, or a shape that a model can have.

#include <cstdint>

#include "core/model/model_config.h"
#include "tests/fuzz/memory_file.h"

using namespace notbad;
using fuzzing::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzzing::MemoryFile bytes(data, size);
  const auto config = model::ModelConfig::read(bytes.path());
  if (!config) {
    require(config.error().code == ErrorCode::kBadModelFile && !config.error().message.empty());
    return 0;
  }
  for (const std::int64_t dimension :
       {config->vocab_size, config->d_model, config->num_heads, config->num_layers, config->d_ff,
        config->max_positions, config->num_labels})
    require(dimension > 0);
  require(config->d_model % config->num_heads == 0);
  require(config->norm_eps > 0.0F);
  if (config->negation_head)
    require(config->negation_head->layer < config->num_layers &&
            config->negation_head->head < config->num_heads);
  return 0;
}
