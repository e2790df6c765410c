#include "core/model/multi_head_attention.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/model/head_interventions.h"
#include "core/ops/masked_softmax.h"
#include "core/ops/matmul.h"

namespace notbad::model {
namespace {

Result<void> check_heads(const AttentionWeights& weights, std::int64_t num_heads) {
  const std::int64_t d_model = weights.output.weight.dim(0);
  if (num_heads >= 1 && d_model % num_heads == 0) return {};
  return fail(ErrorCode::kInvalidArgument, "MultiHeadAttention: width " + std::to_string(d_model) +
                                               " does not divide by " + std::to_string(num_heads) +
                                               " heads");
}

Tensor captured(std::span<const std::int64_t> heads, const AttentionRequest& request,
                ConstMatrixView weights) {
  if (heads.empty()) return {};
  const std::int64_t num_queries = request.queries.length;
  Tensor maps({std::ssize(heads), num_queries, weights.cols()});
  float* next = maps.data();
  for (const std::int64_t head : heads) {
    const ConstMatrixView map = weights.rows_from(head * num_queries, num_queries);  // [Tq, Tk]
    for (std::int64_t query = 0; query < num_queries; ++query) {
      next = std::ranges::copy(map.row(query), next).out;
    }
  }
  return maps;
}

}  // namespace

Result<MultiHeadAttention> MultiHeadAttention::self_attention(
    const AttentionWeights& weights, std::int64_t num_heads,
    std::optional<std::int64_t> resting_head, ops::Dtype dtype) {
  return check_heads(weights, num_heads).map([&] {
    check(!resting_head || (*resting_head >= 0 && *resting_head < num_heads),
          "MultiHeadAttention: no such resting head");
    return MultiHeadAttention(
        std::nullopt,
        fused({&weights.query, &weights.key, &weights.value}, dtype, ops::InputBits::k16),
        fused({&weights.output}, dtype, ops::InputBits::k16), num_heads, resting_head);
  });
}

Result<MultiHeadAttention> MultiHeadAttention::cross_attention(const AttentionWeights& weights,
                                                               std::int64_t num_heads) {
  return check_heads(weights, num_heads).map([&] {
    return MultiHeadAttention(fused({&weights.query}), fused({&weights.key, &weights.value}),
                              fused({&weights.output}), num_heads, std::nullopt);
  });
}

MultiHeadAttention::MultiHeadAttention(std::optional<ops::Linear> query, ops::Linear projection,
                                       ops::Linear output, std::int64_t num_heads,
                                       std::optional<std::int64_t> resting_head)
    : query_(std::move(query)),
      projection_(std::move(projection)),
      output_(std::move(output)),
      d_model_(output_.out_features()),
      num_heads_(num_heads),
      resting_head_(resting_head) {}

void MultiHeadAttention::prepare_rows(std::int64_t rows, Workspace& workspace) const {
  if (query_) query_->prepare(rows, workspace.executor);
  projection_.prepare(rows, workspace.executor);
  output_.prepare(rows, workspace.executor);
}

AttentionResult MultiHeadAttention::forward(ConstMatrixView x,
                                            std::span<const AttentionRequest> requests,
                                            Workspace& workspace) const {
  return forward(x, x, requests, workspace);
}

AttentionResult MultiHeadAttention::forward(ConstMatrixView queries, ConstMatrixView sources,
                                            std::span<const AttentionRequest> requests,
                                            Workspace& workspace) const {
  const Projections projections = project(queries, sources, workspace);
  if (resting_head_) clear_first_values(*resting_head_, requests, projections);
  const MatrixView context = first_rows(workspace.context, queries.rows());  // [ΣTq, D]
  // A head that is off, and a row of no sequence, leave their part at zero.
  std::fill_n(context.data(), context.rows() * context.cols(), 0.0F);
  std::vector<Tensor> weights;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Tensor maps = attend(projections, requests[i], context, workspace);
    if (maps.is_empty()) continue;
    weights.resize(requests.size());
    weights[i] = std::move(maps);
  }
  const MatrixView output = first_rows(workspace.sublayer, queries.rows());  // [ΣTq, D]
  output_.forward(context, output, workspace.executor);
  return {output, std::move(weights)};
}

MultiHeadAttention::Projections MultiHeadAttention::project(ConstMatrixView queries,
                                                            ConstMatrixView sources,
                                                            Workspace& workspace) const {
  if (!query_) {
    check(queries.data() == sources.data(), "MultiHeadAttention: self-attention has one source");
    const MatrixView qkv = first_rows(workspace.projected, queries.rows());  // [ΣT, 3D]
    projection_.forward(queries, qkv, workspace.executor);
    return {qkv.cols_from(0, d_model_), qkv.cols_from(d_model_, d_model_),
            qkv.cols_from(2 * d_model_, d_model_)};  // [ΣT, D] each, strides into qkv, no copy
  }
  check(queries.rows() <= workspace.context.rows() && sources.rows() <= workspace.context.rows(),
        "MultiHeadAttention: more rows than the workspace holds");
  float* const buffer = workspace.projected.data();
  const MatrixView q(buffer, queries.rows(), d_model_);                             // [ΣTq, D]
  const MatrixView kv(buffer + q.rows() * d_model_, sources.rows(), 2 * d_model_);  // [ΣTk, 2D]
  query_->forward(queries, q, workspace.executor);
  projection_.forward(sources, kv, workspace.executor);
  return {q, kv.cols_from(0, d_model_), kv.cols_from(d_model_, d_model_)};
}

void MultiHeadAttention::clear_first_values(std::int64_t head,
                                            std::span<const AttentionRequest> requests,
                                            const Projections& projections) const {
  const std::int64_t d_k = d_model_ / num_heads_;
  for (const AttentionRequest& request : requests) {
    const auto first =
        projections.value.cols_from(head * d_k, d_k).row(request.keys.begin);  // [d_k]
    std::fill(first.begin(), first.end(), 0.0F);
  }
}

Tensor MultiHeadAttention::attend(const Projections& projections, const AttentionRequest& request,
                                  MatrixView context, Workspace& workspace) const {
  const auto [query_begin, num_queries] = request.queries;
  const auto [key_begin, num_keys] = request.keys;
  const ConstMatrixView q = projections.query.rows_from(query_begin, num_queries);  // [Tq, D]
  const ConstMatrixView k = projections.key.rows_from(key_begin, num_keys);         // [Tk, D]
  const ConstMatrixView v = projections.value.rows_from(key_begin, num_keys);       // [Tk, D]
  const MatrixView result = context.rows_from(query_begin, num_queries);            // [Tq, D]
  const std::int64_t row_stride = Workspace::score_stride(num_keys);
  check(num_heads_ * num_queries * row_stride <= std::ssize(workspace.scores.values()),
        "MultiHeadAttention: a longer sequence than the workspace holds");
  const MatrixView scores(workspace.scores.data(), num_heads_ * num_queries, num_keys, row_stride);

  const std::int64_t d_k = d_model_ / num_heads_;
  const float scale = 1.0F / std::sqrt(static_cast<float>(d_k));
  for (std::int64_t head = 0; head < num_heads_; ++head) {
    ops::matmul_transposed(q.cols_from(head * d_k, d_k), k.cols_from(head * d_k, d_k), scale,
                           scores.rows_from(head * num_queries, num_queries),
                           workspace.executor);  // [Tq, Tk]
  }
  std::optional<ConstMatrixView> mask;  // [Tq, Tk], the same for every head
  if (request.mask != nullptr) mask = request.mask->matrix();
  ops::masked_softmax(scores, mask);
  change_weights(request, scores);
  for (std::int64_t head = 0; head < num_heads_; ++head) {
    if (is_head_off(request, head)) continue;
    ops::matmul(scores.rows_from(head * num_queries, num_queries), v.cols_from(head * d_k, d_k),
                result.cols_from(head * d_k, d_k), workspace.executor);  // [Tq, d_k]
  }
  return captured(request.captured_heads, request, scores);
}

}  // namespace notbad::model
