#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/model/attention_request.h"
#include "core/model/linear_weights.h"
#include "core/model/workspace.h"
#include "core/ops/linear.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

namespace notbad::model {

struct AttentionWeights {
  LinearWeights query;  // [D, D] and [D], as the other three
  LinearWeights key;
  LinearWeights value;
  LinearWeights output;
};

struct AttentionResult {
  MatrixView output;            // [ΣTq, D], in the workspace until the next layer runs
  std::vector<Tensor> weights;  // a request each: [captured heads, Tq, Tk]; empty if none asks
};

// Multi-head attention as in the textbook: project to queries, keys and values, let every head
// weigh the values by softmax(q kᵀ / sqrt(d_k)), put the heads side by side and project once more.
// Immutable; forward() may be called from any number of threads, each with its own workspace.
class MultiHeadAttention {
 public:
  // Queries, keys and values from the same rows, by one [D, 3D] matmul. In head `resting_head` the
  // first token of each sequence has the value zero, so that a token which rests its attention on
  // it gets nothing from that head. Fails with kInvalidArgument, naming both numbers, unless D
  // divides by `num_heads`.
  static Result<MultiHeadAttention> self_attention(
      const AttentionWeights& weights, std::int64_t num_heads,
      std::optional<std::int64_t> resting_head = std::nullopt, ops::Dtype dtype = ops::Dtype::kF32);

  // Queries from one source, keys and values from another. Fails likewise.
  static Result<MultiHeadAttention> cross_attention(const AttentionWeights& weights,
                                                    std::int64_t num_heads);

  // Makes the primitives for a packed batch of `rows` rows.
  void prepare_rows(std::int64_t rows, Workspace& workspace) const;

  // x [ΣT, D]; the rows of the requests do not overlap. A row of x that belongs to no request gets
  // the output's bias.
  AttentionResult forward(ConstMatrixView x, std::span<const AttentionRequest> requests,
                          Workspace& workspace) const;

  // queries [ΣTq, D], sources [ΣTk, D]; only of what cross_attention() made.
  AttentionResult forward(ConstMatrixView queries, ConstMatrixView sources,
                          std::span<const AttentionRequest> requests, Workspace& workspace) const;

 private:
  // Heads lie side by side: head h of any of them is columns h * d_k to (h + 1) * d_k.
  struct Projections {
    ConstMatrixView query;  // [ΣTq, D]
    ConstMatrixView key;    // [ΣTk, D]
    MatrixView value;       // [ΣTk, D]
  };

  MultiHeadAttention(std::optional<ops::Linear> query, ops::Linear projection, ops::Linear output,
                     std::int64_t num_heads, std::optional<std::int64_t> resting_head);

  Projections project(ConstMatrixView queries, ConstMatrixView sources, Workspace& workspace) const;
  void clear_first_values(std::int64_t head, std::span<const AttentionRequest> requests,
                          const Projections& projections) const;
  Tensor attend(const Projections& projections, const AttentionRequest& request, MatrixView context,
                Workspace& workspace) const;

  std::optional<ops::Linear> query_;  // [D, D], in cross-attention only
  ops::Linear projection_;            // [D, 3D] query, key, value; [D, 2D] without the query
  ops::Linear output_;                // [D, D]
  std::int64_t d_model_;
  std::int64_t num_heads_;
  std::optional<std::int64_t> resting_head_;
};

}  // namespace notbad::model
