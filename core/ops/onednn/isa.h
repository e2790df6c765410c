#pragma once

#include <dnnl.hpp>

namespace notbad::ops::onednn {

// Whether this processor has everything in `isa` and ONEDNN_MAX_CPU_ISA allows it. Each of oneDNN's
// instruction sets is a mask that holds those of the sets it builds on.
inline bool has_isa(dnnl::cpu_isa isa) {
  const auto wanted = static_cast<unsigned>(isa);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & wanted) == wanted;
}

}  // namespace notbad::ops::onednn
