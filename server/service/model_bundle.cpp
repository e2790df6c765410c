#include "server/service/model_bundle.h"

#include <cstdint>
#include <utility>

#include "server/service/labels.h"
#include "server/service/manifest.h"

namespace notbad::service {
namespace {

// Fails where two files of the folder are not of the same model.
Result<void> check_match(const std::filesystem::path& directory, const ModelBundle& bundle) {
  const model::ModelConfig& config = bundle.config;
  const auto mismatch = [&](const char* file, const char* what, std::int64_t found,
                            std::int64_t expected) {
    return fail(ErrorCode::kBadModelFile,
                (directory / file).string() + ": " + what + " " + std::to_string(found) +
                    ", config.json says " + std::to_string(expected) +
                    " - the files are of different models, export them together");
  };
  if (bundle.tokenizer->vocab_size() != config.vocab_size)
    return mismatch("tokenizer.model", "vocabulary size", bundle.tokenizer->vocab_size(),
                    config.vocab_size);
  const auto num_labels = static_cast<std::int64_t>(bundle.labels.size());
  if (num_labels != config.num_labels)
    return mismatch("labels.json", "number of labels", num_labels, config.num_labels);
  return {};
}

}  // namespace

Result<ModelBundle> ModelBundle::load(const std::filesystem::path& directory, ops::Dtype dtype) {
  Result<std::string> sha256 = verify_manifest(
      directory, {"config.json", "labels.json", "model.safetensors", "tokenizer.model"});
  if (!sha256) return tl::unexpected(std::move(sha256.error()));
  auto classifier = model::Classifier::load(directory, dtype);
  if (!classifier) return tl::unexpected(std::move(classifier.error()));
  auto tokenizer = tokenizer::Tokenizer::open(directory / "tokenizer.model");
  if (!tokenizer) return tl::unexpected(std::move(tokenizer.error()));
  auto labels = read_labels(directory / "labels.json");
  if (!labels) return tl::unexpected(std::move(labels.error()));

  const model::ModelConfig config = (*classifier)->config();
  ModelBundle bundle{config,
                     std::move(*classifier),
                     std::make_shared<const tokenizer::Tokenizer>(std::move(*tokenizer)),
                     std::move(*labels),
                     std::move(*sha256),
                     dtype};
  if (const Result<void> match = check_match(directory, bundle); !match)
    return tl::unexpected(match.error());
  return bundle;
}

}  // namespace notbad::service
