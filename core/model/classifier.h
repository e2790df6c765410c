#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/model/encoder.h"
#include "core/model/forward_options.h"
#include "core/model/model_config.h"
#include "core/ops/linear.h"

namespace notbad::model {

// What one thread needs to run a model: oneDNN stream, scratch memory and prepared primitives. Made
// by Classifier::make_workspace(), used by one thread at a time, and to be destroyed before its
// classifier.
class Workspace;
struct WorkspaceDeleter {
  void operator()(Workspace* workspace) const;
};
using WorkspacePtr = std::unique_ptr<Workspace, WorkspaceDeleter>;

// Token ids in, logits and attention out: embeddings, L encoder layers, pooling, one linear head.
// Immutable after load(); forward() may be called from any number of threads, each with its own
// workspace. It keeps OpenMP to one thread on the thread that calls it.
class Classifier {
 public:
  // Reads config.json and model.safetensors of `directory`. The encoder's linear layers compute in
  // `dtype`, which must be supported; the tagger and the last layer in float32. Fails with
  // kBadModelFile naming the file and the remedy.
  static Result<std::shared_ptr<const Classifier>> load(const std::filesystem::path& directory,
                                                        ops::Dtype dtype = ops::Dtype::kF32);

  ~Classifier();

  // `max_batch_tokens` (ΣT) sizes the scratch memory; primitives are made here, so that forward()
  // makes none.
  WorkspacePtr make_workspace(std::int64_t max_batch_tokens) const;

  // One output a sequence, in order. The batch is packed without padding: its cost is ΣT. ΣT must
  // fit the workspace, 1 <= T <= max_positions, indices of options in range: anything else is a bug
  // of the caller.
  std::vector<SequenceOutput> forward(std::span<const SequenceInput> batch,
                                      Workspace& workspace) const;

  const ModelConfig& config() const { return config_; }
  ops::Dtype dtype() const { return dtype_; }

 private:
  Classifier(const ModelConfig& config, const WeightStore& weights, ops::Dtype dtype);

  SequenceOutput classify(ConstMatrixView hidden, Workspace& workspace) const;

  ModelConfig config_;
  ops::Dtype dtype_;
  Encoder encoder_;
  ops::Linear output_;  // [D, C]
};

}  // namespace notbad::model
