#pragma once

#include <cstdint>
#include <vector>

// One source in plain C++, compiled for several instruction sets, and for short rows of softmax the
// same in AVX-512's own terms. Nothing is contracted or reordered, so every processor gives the
// same values, to the last bit.

namespace notbad::ops::rows {

// A row that is brought to mean 0 and variance 1, then scaled and shifted.
struct NormedRow {
  float* x;  // [count], in place
  const float* scale;
  const float* shift;
  float epsilon;  // added to the variance
  std::int64_t count;
};

// What one instruction set offers.
struct RowKernel {
  // Turns `count` scores, in place, into weights that sum to 1; -inf becomes exactly 0, and a row
  // of nothing else all zeros.
  void (*softmax)(float* scores, std::int64_t count);

  void (*layer_norm)(const NormedRow& row);

  // x = x Φ(x) of `count` values in place; null where nothing multiplies and adds in one.
  void (*gelu)(float* x, std::int64_t count);
};

// Those that this processor can run, the fastest last; the first runs anywhere.
std::vector<const RowKernel*> row_kernels();

// The last of them.
const RowKernel& fastest_row_kernel();

const RowKernel& baseline_rows();
const RowKernel& avx2_rows();
const RowKernel& avx512_rows();

}  // namespace notbad::ops::rows
