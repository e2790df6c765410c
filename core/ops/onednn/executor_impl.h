#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <dnnl.hpp>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ops/executor.h"
#include "core/ops/onednn/version.h"

namespace notbad::ops {

// A primitive with its argument list, made once; a run only exchanges pointers in it.
struct PreparedPrimitive {
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
  std::string kernel;  // oneDNN's name of the implementation

  // oneDNN takes no pointer to const, whatever the role of the argument; it writes only to outputs.
  void bind(int argument, const float* data) {
    arguments.at(argument).set_data_handle(const_cast<float*>(data));
  }
};

// Everything that tells one primitive from another, in every op of this project.
struct PrimitiveKey {
  enum class Op { kLinear, kPointwiseLinear, kGelu, kToBf16, kBf16Linear, kInt8Linear };

  Op op;
  std::int64_t rows = 0;
  std::int64_t in_features = 0;
  std::int64_t out_features = 0;
  int activation = 0;

  auto operator<=>(const PrimitiveKey&) const = default;
};

struct Executor::Impl {
  struct alignas(64) CacheLine {
    std::byte bytes[64];
  };

  dnnl::stream stream{onednn::cpu_engine()};
  std::map<PrimitiveKey, PreparedPrimitive> primitives;
  std::set<std::string> other_kernels;
  dnnl::memory scratchpad;  // as large as the largest need; one primitive runs at a time
  std::vector<CacheLine> staging;

  // `make` returns the primitive descriptor and is called only for a key not seen before.
  template <class Primitive, class MakeDescriptor>
  PreparedPrimitive& prepare(const PrimitiveKey& key, const MakeDescriptor& make);

  void run(PreparedPrimitive& prepared);

 private:
  void reserve_scratchpad(std::size_t bytes);
};

namespace onednn {

// dnnl::error ends here: above this folder nobody knows oneDNN.
template <class Call>
decltype(auto) translate_errors(const char* what, const Call& call) {
  try {
    return call();
  } catch (const dnnl::error& error) {
    throw std::runtime_error(std::string("oneDNN cannot ") + what + ": " + error.what());
  }
}

// Held while a primitive is made: threads share oneDNN's cache of primitives, and whoever finds one
// there that another thread has just made must see it whole.
inline std::mutex& primitive_creation() {
  static std::mutex mutex;
  return mutex;
}

// An argument whose memory is given with each run.
inline dnnl::memory unbound(const dnnl::memory::desc& description) {
  return {description, cpu_engine(), nullptr};
}

}  // namespace onednn

template <class Primitive, class MakeDescriptor>
PreparedPrimitive& Executor::Impl::prepare(const PrimitiveKey& key, const MakeDescriptor& make) {
  if (const auto found = primitives.find(key); found != primitives.end()) return found->second;
  return onednn::translate_errors("make a primitive", [&]() -> PreparedPrimitive& {
    const std::lock_guard one_at_a_time(onednn::primitive_creation());
    const auto descriptor = make();
    reserve_scratchpad(descriptor.scratchpad_desc().get_size());
    PreparedPrimitive prepared{Primitive(descriptor), {}, descriptor.impl_info_str()};
    prepared.arguments.emplace(DNNL_ARG_SRC, onednn::unbound(descriptor.src_desc()));
    prepared.arguments.emplace(DNNL_ARG_DST, onednn::unbound(descriptor.dst_desc()));
    prepared.arguments.emplace(DNNL_ARG_SCRATCHPAD, onednn::unbound(descriptor.scratchpad_desc()));
    return primitives.emplace(key, std::move(prepared)).first->second;
  });
}

}  // namespace notbad::ops
