#include "core/model/workspace.h"

#include <algorithm>

#include "core/model/negation_tags.h"
#include "core/ops/row_bucket.h"

namespace notbad::model {

Workspace::Workspace(const ModelConfig& config, std::int64_t max_rows) : max_rows_(max_rows) {
  const std::int64_t rows = ops::row_bucket(max_rows);
  hidden = ScratchMatrix(rows, config.d_model);
  sublayer = ScratchMatrix(rows, config.d_model);
  projected = ScratchMatrix(rows, 3 * config.d_model);
  context = ScratchMatrix(rows, config.d_model);
  expanded = ScratchMatrix(rows, config.d_ff);
  if (config.tagger) tagged = ScratchMatrix(rows, kNumCueClasses + 2 * config.tagger->rank);
  const std::int64_t longest = std::min(max_rows, config.max_positions);
  scores = ScratchMatrix(config.num_heads * longest, score_stride(longest));
}

}  // namespace notbad::model
