#include "core/ops/processor.h"

#include <dnnl.hpp>

namespace notbad::ops {
namespace {

dnnl::cpu_isa isa_of(Instructions instructions) {
  switch (instructions) {
    case Instructions::kAvx2:
      return dnnl::cpu_isa::avx2;
    case Instructions::kAvx512:
      return dnnl::cpu_isa::avx512_core;
    case Instructions::kAvx512Vnni:
      return dnnl::cpu_isa::avx512_core_vnni;
    case Instructions::kAvx512Bf16:
      return dnnl::cpu_isa::avx512_core_bf16;
    case Instructions::kAmx:
      break;
  }
  return dnnl::cpu_isa::avx512_core_amx;
}

}  // namespace

bool processor_has([[maybe_unused]] Instructions instructions) {
#if defined(__x86_64__)
  // Each of oneDNN's instruction sets is a mask that holds those of the sets it builds on.
  const auto wanted = static_cast<unsigned>(isa_of(instructions));
  const auto allowed = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  return (allowed & wanted) == wanted && __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

}  // namespace notbad::ops
