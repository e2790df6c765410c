#include <gtest/gtest.h>

#include <string>

#include "core/model/classifier.h"
#include "core/model/embeddings.h"
#include "core/model/encoder_layer.h"
#include "core/model/weight_spec.h"
#include "tests/support/golden_files.h"
#include "tests/support/near.h"

namespace notbad::model {
namespace {

using testing::golden_path;
using testing::GoldenFile;
using testing::is_near;

constexpr float kEmbeddingTolerance = 2e-6F;
constexpr float kAttentionTolerance = 5e-6F;
constexpr float kLayerTolerance = 2e-5F;
constexpr float kLogitsTolerance = 2e-5F;
constexpr int kNumSequences = 4;  // of 1, 3, 7 and 17 tokens

// The stages of the tiny model against those of the PyTorch twin.
class EncoderGoldenTest : public ::testing::TestWithParam<int> {
 protected:
  std::string name(const std::string& stage) const { return stage + std::to_string(GetParam()); }
  Tensor golden(const std::string& stage) const { return goldens_.tensor(name("golden." + stage)); }
  std::vector<std::int32_t> ids() const { return goldens_.ids(name("golden.ids.")); }

 private:
  GoldenFile goldens_{"tiny_golden.safetensors"};
};

Tensor copy_of(ConstMatrixView x) {
  return {{x.rows(), x.cols()}, {x.data(), x.data() + x.rows() * x.cols()}};
}

// The assertions end the test at the first stage that diverges.
TEST_P(EncoderGoldenTest, EveryStageIsThatOfTheTwin) {
  const auto config = ModelConfig::read(golden_path("tiny_config.json"));
  ASSERT_TRUE(config.has_value());
  const auto weights =
      WeightStore::open(golden_path("tiny_model.safetensors"), weight_specs(*config));
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  const auto ids = this->ids();
  const std::int64_t length = std::ssize(ids);
  const ForwardOptions options;
  const SequenceInput input{ids, options};
  Workspace workspace(*config, length);
  const std::vector<std::int64_t> heads = {0, 1, 2, 3};
  AttentionRequest request{
      .queries = {0, length}, .keys = {0, length}, .interventions = {}, .captured_heads = heads};

  const MatrixView x = Embeddings(*weights, *config).forward({&input, 1}, workspace);

  ASSERT_TRUE(is_near(copy_of(x), golden("embedding."), kEmbeddingTolerance)) << "embedding";
  for (std::int64_t layer = 0; layer < config->num_layers; ++layer) {
    const std::string stage = "layer." + std::to_string(layer);
    const auto maps = EncoderLayer(*weights, *config, layer).forward(x, {&request, 1}, workspace);
    ASSERT_TRUE(is_near(maps.at(0), golden(stage + ".attention."), kAttentionTolerance)) << stage;
    ASSERT_TRUE(is_near(copy_of(x), golden(stage + ".output."), kLayerTolerance)) << stage;
  }
}

TEST_P(EncoderGoldenTest, PooledStateAndLogitsAreThoseOfTheTwin) {
  const testing::TinyModelFolder folder;
  const auto classifier = Classifier::load(folder.path());
  ASSERT_TRUE(classifier.has_value()) << classifier.error().message;
  const auto workspace = (*classifier)->make_workspace(32);
  const auto ids = this->ids();
  const ForwardOptions options;
  const SequenceInput input{ids, options};

  const auto output = (*classifier)->forward({&input, 1}, *workspace).at(0);

  ASSERT_TRUE(is_near(output.pooled, golden("pooled.").values(), kLayerTolerance));
  ASSERT_TRUE(is_near(output.logits, golden("logits.").values(), kLogitsTolerance));
}

TEST_P(EncoderGoldenTest, CausalMaskGivesTheLogitsOfTheTwin) {
  const testing::TinyModelFolder folder;
  const auto classifier = Classifier::load(folder.path());
  ASSERT_TRUE(classifier.has_value()) << classifier.error().message;
  const auto workspace = (*classifier)->make_workspace(32);
  const auto ids = this->ids();
  Tensor mask({std::ssize(ids), std::ssize(ids)});
  for (std::int64_t t = 0; t < mask.dim(0); ++t) {
    const auto row = mask.matrix().row(t);
    std::fill_n(row.begin(), t + 1, 1.0F);
  }
  const ForwardOptions options{.attention = {}, .interventions = {}, .mask = std::move(mask)};
  const SequenceInput input{ids, options};

  const auto output = (*classifier)->forward({&input, 1}, *workspace).at(0);

  ASSERT_TRUE(is_near(output.logits, golden("causal.logits.").values(), kLogitsTolerance));
}

INSTANTIATE_TEST_SUITE_P(Sequences, EncoderGoldenTest, ::testing::Range(0, kNumSequences));

}  // namespace
}  // namespace notbad::model
