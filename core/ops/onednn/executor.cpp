#include "core/ops/executor.h"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "core/ops/onednn/executor_impl.h"

namespace notbad::ops {

Executor::Executor()
    : impl_(onednn::translate_errors("start", [] { return std::make_unique<Impl>(); })) {
  use_one_thread();
}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

std::vector<std::string> Executor::kernel_names() const {
  std::vector<std::string> names(impl_->other_kernels.begin(), impl_->other_kernels.end());
  for (const auto& [key, prepared] : impl_->primitives) names.push_back(prepared.kernel);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void Executor::note_kernel(const std::string& name) { impl_->other_kernels.insert(name); }

std::int64_t Executor::num_primitives() const { return std::ssize(impl_->primitives); }

std::byte* Executor::staging(std::int64_t bytes) {
  constexpr std::int64_t kLine = sizeof(Impl::CacheLine);
  const auto lines = static_cast<std::size_t>((bytes + kLine - 1) / kLine);
  if (impl_->staging.size() < lines) impl_->staging.resize(lines);
  return reinterpret_cast<std::byte*>(impl_->staging.data());
}

void Executor::Impl::run(PreparedPrimitive& prepared) {
  onednn::translate_errors("run a primitive", [&] {
    if (scratchpad) {
      prepared.arguments.at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratchpad.get_data_handle());
    }
    prepared.primitive.execute(stream, prepared.arguments);
    stream.wait();
  });
}

void Executor::Impl::reserve_scratchpad(std::size_t bytes) {
  const std::size_t available = scratchpad ? scratchpad.get_desc().get_size() : 0;
  if (bytes <= available) return;
  const dnnl::memory::desc buffer({static_cast<std::int64_t>(bytes)}, dnnl::memory::data_type::u8,
                                  dnnl::memory::format_tag::a);
  scratchpad = dnnl::memory(buffer, onednn::cpu_engine());
}

void use_one_thread() { omp_set_num_threads(1); }

}  // namespace notbad::ops
