#include "core/model/embeddings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/model/weight_spec.h"
#include "tests/support/golden_files.h"

namespace notbad::model {
namespace {

class EmbeddingsTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kMaxRows = 64;

  ModelConfig config_ = ModelConfig::read(testing::golden_path("tiny_config.json")).value();
  Embeddings embeddings_{
      WeightStore::open(testing::golden_path("tiny_model.safetensors"), weight_specs(config_))
          .value(),
      config_};
  Workspace workspace_{config_, kMaxRows};
  ForwardOptions none_;
};

TEST_F(EmbeddingsTest, CountPositionsFromTheStartOfEachSequence) {
  const std::vector<std::int32_t> ids{7, 7};
  const std::vector<SequenceInput> batch(2, SequenceInput{ids, none_});

  const MatrixView x = embeddings_.forward(batch, workspace_);  // [4, D]

  EXPECT_TRUE(std::ranges::equal(x.row(0), x.row(2)));
  EXPECT_TRUE(std::ranges::equal(x.row(1), x.row(3)));
  EXPECT_FALSE(std::ranges::equal(x.row(0), x.row(1)));
}

TEST_F(EmbeddingsTest, FillTheBucketWithFiniteRows) {
  std::ranges::fill(workspace_.hidden.values(), std::numeric_limits<float>::quiet_NaN());
  const std::vector<std::int32_t> one(1, 3);
  const std::vector<std::int32_t> many(32, 3);
  const std::vector<SequenceInput> batch{{one, none_}, {many, none_}};

  const MatrixView x = embeddings_.forward(batch, workspace_);

  ASSERT_EQ(x.rows(), 34);  // the bucket of 33 tokens
  EXPECT_TRUE(std::ranges::all_of(x.row(33), [](float value) { return std::isfinite(value); }));
}

}  // namespace
}  // namespace notbad::model
