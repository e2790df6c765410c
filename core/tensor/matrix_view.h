#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/base/check.h"
#include "core/tensor/shape.h"

namespace notbad {

// Borrows a matrix of floats for the length of a call: rows of adjacent values, with any distance
// from one row to the next. A head of a packed projection is such a matrix without a copy.
// `Value` is float or const float; a writable view turns into a read-only one by itself.
template <class Value>
class BasicMatrixView {
 public:
  BasicMatrixView(Value* data, std::int64_t rows, std::int64_t cols, std::int64_t row_stride)
      : data_(data), rows_(rows), cols_(cols), row_stride_(row_stride) {
    check(rows >= 0 && cols >= 0 && row_stride >= cols, "MatrixView: rows overlap");
  }
  BasicMatrixView(Value* data, std::int64_t rows, std::int64_t cols)
      : BasicMatrixView(data, rows, cols, cols) {}

  template <class Other>
    requires(std::is_same_v<const Other, Value>)
  // Not explicit: reading what one may write is always right.
  BasicMatrixView(const BasicMatrixView<Other>& other)
      : BasicMatrixView(other.data(), other.rows(), other.cols(), other.row_stride()) {}

  Value* data() const { return data_; }
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t row_stride() const { return row_stride_; }
  bool is_contiguous() const { return row_stride_ == cols_ || rows_ <= 1; }
  Shape shape() const { return {rows_, cols_}; }

  std::span<Value> row(std::int64_t index) const {
    check(index >= 0 && index < rows_, "MatrixView: row out of range");
    return {data_ + index * row_stride_, static_cast<std::size_t>(cols_)};
  }

  // The block of `count` rows from `begin`.
  BasicMatrixView rows_from(std::int64_t begin, std::int64_t count) const {
    check(begin >= 0 && count >= 0 && begin + count <= rows_, "MatrixView: rows out of range");
    return {data_ + begin * row_stride_, count, cols_, row_stride_};
  }

  // The block of `count` columns from `begin`, still `row_stride` apart.
  BasicMatrixView cols_from(std::int64_t begin, std::int64_t count) const {
    check(begin >= 0 && count >= 0 && begin + count <= cols_, "MatrixView: columns out of range");
    return {data_ + begin, rows_, count, row_stride_};
  }

 private:
  Value* data_;
  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t row_stride_;
};

using MatrixView = BasicMatrixView<float>;
using ConstMatrixView = BasicMatrixView<const float>;

}  // namespace notbad
