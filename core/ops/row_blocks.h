#pragma once

#include <algorithm>
#include <cstdint>

namespace notbad::ops {

// use(begin, count) for one block of up to `block_rows` rows after the other. Where each count
// needs a primitive of its own, few of them then serve every number of rows.
template <class Use>
void for_each_block(std::int64_t rows, std::int64_t block_rows, const Use& use) {
  for (std::int64_t begin = 0; begin < rows; begin += block_rows) {
    use(begin, std::min(block_rows, rows - begin));
  }
}

}  // namespace notbad::ops
