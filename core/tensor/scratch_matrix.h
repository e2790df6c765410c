#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "core/tensor/matrix_view.h"

namespace notbad {

// Room for intermediate results: rows that begin as zeros, and take memory from the system only as
// they are written for the first time, so that room for the largest batch costs nothing before
// there is one.
class ScratchMatrix {
 public:
  ScratchMatrix() = default;  // no room

  // Throws std::bad_alloc where the system refuses.
  ScratchMatrix(std::int64_t rows, std::int64_t cols);

  std::int64_t rows() const { return rows_; }
  float* data() { return values_.get(); }
  std::span<float> values() { return {data(), static_cast<std::size_t>(rows_ * cols_)}; }
  MatrixView matrix() { return {values_.get(), rows_, cols_}; }

 private:
  struct Free {
    void operator()(float* values) const { std::free(values); }
  };

  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::unique_ptr<float[], Free> values_;
};

}  // namespace notbad
