#include "core/tensor/scratch_matrix.h"

#include <new>

namespace notbad {

// calloc, because it knows which memory of the system is zero already and leaves that untouched.
ScratchMatrix::ScratchMatrix(std::int64_t rows, std::int64_t cols)
    : rows_(rows),
      cols_(cols),
      values_(
          static_cast<float*>(std::calloc(static_cast<std::size_t>(rows * cols), sizeof(float)))) {
  if (values_ == nullptr && rows * cols > 0) throw std::bad_alloc();
}

}  // namespace notbad
