#pragma once

#include <cstdint>
#include <vector>

#include "core/model/attention_request.h"
#include "core/model/model_config.h"
#include "core/ops/executor.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/scratch_matrix.h"

namespace notbad::model {

// What one thread needs to run a model: the executor with its primitives, and the intermediate
// results of one packed batch. Layers write each its own part and hand out views of it, which hold
// until the next forward pass. Used by one thread at a time.
class Workspace {
 public:
  // Room for batches of up to `max_rows` tokens (ΣT), the longest sequence being the model's or the
  // batch, whichever is shorter.
  Workspace(const ModelConfig& config, std::int64_t max_rows);

  std::int64_t max_rows() const { return max_rows_; }

  // From one row of `num_keys` scores to the next: a processor that takes 16 at once would have to
  // wait where it stored the end of one row and the beginning of the next right after.
  static constexpr std::int64_t score_stride(std::int64_t num_keys) {
    constexpr std::int64_t kAtOnce = 16;
    return (num_keys + kAtOnce - 1) / kAtOnce * kAtOnce;
  }

  ops::Executor executor;

  // Each with room for row_bucket(max_rows) rows; a batch uses the first ΣT of them.
  ScratchMatrix hidden;                    // [ΣT, D]     the encoder's state
  ScratchMatrix sublayer;                  // [ΣT, D]     what attention or feed-forward adds to it
  ScratchMatrix projected;                 // [ΣT, 3D]    queries, keys and values
  ScratchMatrix context;                   // [ΣT, D]     the heads' results, side by side
  ScratchMatrix expanded;                  // [ΣT, F]     the inside of the feed-forward
  ScratchMatrix tagged;                    // [ΣT, 3 + 2R]  the tagger's; empty where there is none
  ScratchMatrix scores;                    // [H * T, T]  one sequence, rows score_stride(T) apart
  std::vector<AttentionRequest> requests;  // one a sequence

 private:
  std::int64_t max_rows_;
};

// The first `rows` of a buffer.
inline MatrixView first_rows(ScratchMatrix& buffer, std::int64_t rows) {
  return buffer.matrix().rows_from(0, rows);
}

}  // namespace notbad::model
