#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/classifier.h"
#include "tokenizer/tokenizer.h"

namespace notbad::service {

// What a model folder holds, loaded and checked against each other. Immutable and shared.
struct ModelBundle {
  model::ModelConfig config;
  std::shared_ptr<const model::Classifier> classifier;  // what the workers run
  std::shared_ptr<const tokenizer::Tokenizer> tokenizer;
  std::vector<std::string> labels;      // C names, in the order of the logits
  std::string sha256;                   // of the manifest, and so of every file it lists
  ops::Dtype dtype = ops::Dtype::kF32;  // what the encoder computes in

  // Reads MANIFEST.sha256, config.json, model.safetensors, tokenizer.model and labels.json. The
  // encoder computes in `dtype`, which must be supported. Fails with kBadModelFile naming the file
  // and the remedy.
  static Result<ModelBundle> load(const std::filesystem::path& directory,
                                  ops::Dtype dtype = ops::Dtype::kF32);
};

}  // namespace notbad::service
