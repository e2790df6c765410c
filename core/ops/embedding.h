#pragma once

#include <cstdint>
#include <span>

#include "core/tensor/matrix_view.h"

namespace notbad::ops {

// y [T, D]: row t = tokens[ids[t]] + positions[t]. Ids are in [0, V) and T is at most the number of
// positions; the caller has checked both.
void embed(std::span<const std::int32_t> ids, ConstMatrixView tokens, ConstMatrixView positions,
           MatrixView y);

}  // namespace notbad::ops
