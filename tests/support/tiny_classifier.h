#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/model/classifier.h"
#include "tests/support/golden_files.h"

namespace notbad::testing {

using Ids = std::vector<std::int32_t>;
using Outputs = std::vector<model::SequenceOutput>;

// Different lengths and different tokens, all of the tiny model's vocabulary of 40.
inline const std::vector<Ids> kSentences = {
    {3, 14, 15, 9, 26, 5},
    {35},
    {8, 9, 7, 9, 32, 38, 4, 6, 26, 4, 33, 8, 32, 7, 9, 5, 0},
    {28, 8, 4}};

// The maps of both layers and all four heads.
inline model::ForwardOptions all_attention() {
  return {.attention = {{0, 1}, {0, 1, 2, 3}}, .interventions = {}, .mask = {}};
}

// Whether two answers to one sentence are the same bit by bit.
inline bool are_equal(const model::SequenceOutput& a, const model::SequenceOutput& b) {
  return a.logits == b.logits && a.probabilities == b.probabilities && a.pooled == b.pooled &&
         std::ranges::equal(a.attention.values(), b.attention.values());
}

// The tiny model of the goldens, loaded, with a workspace.
class TinyClassifierTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kMaxTokens = 64;

  // All sentences in one packed batch, with the same options.
  Outputs classify(const std::vector<Ids>& sentences, const model::ForwardOptions& options) {
    std::vector<model::SequenceInput> batch;
    for (const Ids& ids : sentences) batch.push_back({ids, options});
    return classifier_->forward(batch, *workspace_);
  }

  model::SequenceOutput classify_one(const Ids& ids, const model::ForwardOptions& options = {}) {
    return classify({ids}, options).at(0);
  }

  model::SequenceOutput classify_with(const Ids& ids,
                                      std::vector<model::Intervention> interventions) {
    model::ForwardOptions options = all_attention();
    options.interventions = std::move(interventions);
    return classify_one(ids, options);
  }

  static std::shared_ptr<const model::Classifier> load_tiny(const std::string& name = "tiny") {
    const TinyModelFolder folder(name);
    return model::Classifier::load(folder.path()).value();
  }

  std::shared_ptr<const model::Classifier> classifier_ = load_tiny();
  model::WorkspacePtr workspace_ = classifier_->make_workspace(kMaxTokens);
  const Ids& long_sentence_ = kSentences[2];  // 17 tokens
};

}  // namespace notbad::testing
