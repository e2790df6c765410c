#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace notbad::ops {

// What one thread needs to run ops: a oneDNN stream, the primitives made so far and their scratch
// memory. Used by one thread at a time; ops that were prepared on it must outlive their use only.
class Executor {
 public:
  Executor();  // calls use_one_thread(); a thread that is handed an executor does so itself
  ~Executor();
  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;

  // The kernels behind the ops prepared so far, sorted, each once: oneDNN's names, and this
  // project's own, which begin with "panel:" or "amx:". One called "ref..." is a slow fallback.
  std::vector<std::string> kernel_names() const;

  // Adds a kernel that is no oneDNN primitive to kernel_names().
  void note_kernel(const std::string& name);

  std::int64_t num_primitives() const;

  // Room for what the op that runs makes of its inputs: at least `bytes`, from a cache line on, of
  // any content, until the next op.
  std::byte* staging(std::int64_t bytes);

  struct Impl;
  Impl& impl() { return *impl_; }  // for core/ops/onednn only

 private:
  std::unique_ptr<Impl> impl_;
};

// Keeps oneDNN on the calling thread: workers are the only parallelism. libgomp remembers it for
// this thread alone, and two OpenMP threads on one sentence are slower than one.
void use_one_thread();

}  // namespace notbad::ops
