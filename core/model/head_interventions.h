#pragma once

#include <cstdint>

#include "core/model/attention_request.h"
#include "core/tensor/matrix_view.h"

namespace notbad::model {

// Changes the attention weights of one sequence as its request asks, after the softmax.
// `weights` is [H * Tq, Tk], head by head. Uniform heads come first, then all cuts, then every row
// that a renormalising cut touched grows back to sum 1, unless nothing is left in it.
void change_weights(const AttentionRequest& request, MatrixView weights);

// Whether the request switches the head off. Its weights stay what they are: only what it would
// contribute is dropped.
bool is_head_off(const AttentionRequest& request, std::int64_t head);

}  // namespace notbad::model
