#include "server/service/classifier_runner.h"

#include <utility>

#include "core/model/workspace.h"

namespace notbad::service {
namespace {

class ClassifierRunner : public BatchRunner {
 public:
  ClassifierRunner(std::shared_ptr<const model::Classifier> classifier,
                   std::int64_t max_batch_tokens)
      : classifier_(std::move(classifier)),
        workspace_(classifier_->make_workspace(max_batch_tokens)) {}

  std::vector<model::SequenceOutput> run(std::span<const model::SequenceInput> batch) override {
    return classifier_->forward(batch, *workspace_);
  }

  std::vector<std::string> kernels() const override { return workspace_->executor.kernel_names(); }

 private:
  std::shared_ptr<const model::Classifier> classifier_;
  model::WorkspacePtr workspace_;  // after its classifier, so that it goes first
};

}  // namespace

RunnerFactory classifier_runners(std::shared_ptr<const model::Classifier> classifier,
                                 std::int64_t max_batch_tokens) {
  return [classifier = std::move(classifier), max_batch_tokens] {
    return std::make_unique<ClassifierRunner>(classifier, max_batch_tokens);
  };
}

}  // namespace notbad::service
