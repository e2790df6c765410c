#include "server/service/dtype_choice.h"

namespace notbad::service {

Result<ops::Dtype> choose_dtype(const std::string& word) {
  if (word == "auto") return ops::fastest_dtype();
  const auto dtype = ops::dtype_named(word);
  if (!dtype)
    return fail(ErrorCode::kInvalidArgument,
                "--dtype: expected one of f32, bf16, int8, auto, found '" + word + "'");
  if (ops::is_supported(*dtype)) return *dtype;
  const char* const lacking = *dtype == ops::Dtype::kBf16 ? "AVX512-BF16" : "AVX512-VNNI";
  return fail(ErrorCode::kInvalidArgument,
              "--dtype " + word + ": this processor has no " + lacking +
                  ", or ONEDNN_MAX_CPU_ISA forbids it: take f32, or auto for the fastest that it "
                  "has");
}

}  // namespace notbad::service
