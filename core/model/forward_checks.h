#pragma once

#include <cstdint>
#include <span>

#include "core/model/forward_options.h"
#include "core/model/model_config.h"

namespace notbad::model {

// What the layers below trust: sequences of 1 to max_positions tokens and `max_rows` together, ids
// in the vocabulary, every index of the options in range. Anything else is a bug of the caller and
// throws std::logic_error.
void check_batch(std::span<const SequenceInput> batch, const ModelConfig& config,
                 std::int64_t max_rows);

}  // namespace notbad::model
