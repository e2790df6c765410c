#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace notbad::cli {

struct LabelledRow {
  std::string sentence;
  std::int64_t label = 0;  // class index
};

// Reads tab-separated rows under a header that names the columns `sentence` and `label`, in any
// order and beside others. A label is one of `labels` or its index. Fails with kInvalidArgument
// naming the line and what it lacks.
Result<std::vector<LabelledRow>> read_labelled_rows(std::istream& input,
                                                    const std::vector<std::string>& labels);

}  // namespace notbad::cli
