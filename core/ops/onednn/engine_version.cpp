#include "core/ops/engine_version.h"

#include <dnnl.hpp>

namespace notbad::ops {

std::string engine_version() {
  const dnnl_version_t& version = *dnnl_version();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

}  // namespace notbad::ops
