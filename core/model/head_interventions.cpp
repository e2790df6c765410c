#include "core/model/head_interventions.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <variant>

namespace notbad::model {
namespace {

// Calls `change` with every intervention of type Kind that is meant for the request's layer.
template <class Kind, class Change>
void for_each(const AttentionRequest& request, const Change& change) {
  for (const Intervention& intervention : request.interventions) {
    const Kind* const kind = std::get_if<Kind>(&intervention);
    if (kind != nullptr && kind->layer == request.layer) change(*kind);
  }
}

// The mask decides what "every token" is: a forbidden link stays forbidden.
void make_uniform(const Tensor* mask, std::int64_t query, std::span<float> weights) {
  if (mask == nullptr) {
    std::fill(weights.begin(), weights.end(), 1.0F / static_cast<float>(weights.size()));
    return;
  }
  const auto allowed = mask->matrix().row(query);  // [Tk]
  const auto num_allowed =
      std::count_if(allowed.begin(), allowed.end(), [](float value) { return value != 0.0F; });
  for (std::size_t key = 0; key < weights.size(); ++key) {
    weights[key] = allowed[key] != 0.0F ? 1.0F / static_cast<float>(num_allowed) : 0.0F;
  }
}

void renormalise(std::span<float> weights) {
  const float sum = std::accumulate(weights.begin(), weights.end(), 0.0F);
  if (sum == 0.0F) return;
  for (float& weight : weights) weight /= sum;
}

}  // namespace

void change_weights(const AttentionRequest& request, MatrixView weights) {
  const std::int64_t num_queries = request.queries.length;
  const auto row_of = [&](std::int64_t head, std::int64_t query) {
    return weights.row(head * num_queries + query);  // [Tk]
  };
  for_each<HeadUniform>(request, [&](const HeadUniform& uniform) {
    for (std::int64_t query = 0; query < num_queries; ++query) {
      make_uniform(request.mask, query, row_of(uniform.head, query));
    }
  });
  for_each<CutLink>(request, [&](const CutLink& cut) {
    row_of(cut.head, cut.from)[static_cast<std::size_t>(cut.to)] = 0.0F;
  });
  for_each<CutLink>(request, [&](const CutLink& cut) {
    if (cut.renormalise) renormalise(row_of(cut.head, cut.from));
  });
}

bool is_head_off(const AttentionRequest& request, std::int64_t head) {
  bool is_off = false;
  for_each<HeadOff>(request, [&](const HeadOff& off) { is_off = is_off || off.head == head; });
  return is_off;
}

}  // namespace notbad::model
