#include "core/model/workspace.h"

#include <algorithm>

#include "core/model/negation_tags.h"
#include "core/ops/row_bucket.h"

namespace notbad::model {

Workspace::Workspace(const ModelConfig& config, std::int64_t max_rows)
    : max_rows_(max_rows), max_length_(std::min(max_rows, config.max_positions)) {
  const std::int64_t rows = ops::row_bucket(max_rows);
  hidden = Tensor({rows, config.d_model});
  sublayer = Tensor({rows, config.d_model});
  projected = Tensor({rows, 3 * config.d_model});
  context = Tensor({rows, config.d_model});
  expanded = Tensor({rows, config.d_ff});
  if (config.tagger) tagged = Tensor({rows, kNumCueClasses + 2 * config.tagger->rank});
  scores = Tensor({config.num_heads, max_length_, max_length_});
}

}  // namespace notbad::model
