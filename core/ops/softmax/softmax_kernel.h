#pragma once

#include <cstdint>
#include <vector>

// One source in plain C++, compiled for several instruction sets. Nothing in it is contracted or
// reordered, so every processor gives the same weights, to the last bit.

namespace notbad::ops::softmax {

// Turns `count` scores, in place, into weights that sum to 1; -inf becomes exactly 0, and a row of
// nothing else all zeros.
using RowFunction = void (*)(float* scores, std::int64_t count);

// Those that this processor can run, the fastest last.
std::vector<RowFunction> row_functions();

void baseline_row(float* scores, std::int64_t count);
void avx2_row(float* scores, std::int64_t count);
void avx512_row(float* scores, std::int64_t count);

}  // namespace notbad::ops::softmax
