#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace notbad {

// The sizes of a row-major array, outermost first. At most kMaxRank of them, so that a shape is a
// plain value that never allocates.
class Shape {
 public:
  static constexpr std::int64_t kMaxRank = 4;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims);

  std::int64_t rank() const { return rank_; }

  // A negative index counts from the end: dim(-1) is the innermost size.
  std::int64_t dim(std::int64_t index) const;

  // The product of all sizes; 0 for the shape of nothing, which has rank 0.
  std::int64_t num_elements() const;

  std::string to_string() const;  // "[3, 128]", as messages show it

  bool operator==(const Shape&) const = default;

 private:
  std::array<std::int64_t, kMaxRank> dims_{};
  std::int64_t rank_ = 0;
};

}  // namespace notbad
