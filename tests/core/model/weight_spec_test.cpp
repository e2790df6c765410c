#include "core/model/weight_spec.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace notbad::model {
namespace {

ModelConfig odd_config() {
  ModelConfig config;
  config.vocab_size = 11;
  config.d_model = 6;
  config.num_heads = 2;
  config.num_layers = 3;
  config.d_ff = 7;
  config.max_positions = 5;
  config.num_labels = 4;
  return config;
}

TEST(WeightSpecTest, ListsEveryWeightOnce) {
  std::set<std::string> names;
  for (const WeightSpec& spec : weight_specs(odd_config())) names.insert(spec.name);

  EXPECT_EQ(names.size(), weight_specs(odd_config()).size());
  EXPECT_EQ(names.size(), 4U + 3U * 16U + 2U);
}

TEST(WeightSpecTest, GivesLinearLayersOutputsFirst) {
  std::map<std::string, Shape> shapes;
  for (const WeightSpec& spec : weight_specs(odd_config())) shapes.emplace(spec.name, spec.shape);

  EXPECT_EQ(shapes.at("embeddings.token.weight"), (Shape{11, 6}));
  EXPECT_EQ(shapes.at("embeddings.position.weight"), (Shape{5, 6}));
  EXPECT_EQ(shapes.at("encoder.layer.0.attention.key.weight"), (Shape{6, 6}));
  EXPECT_EQ(shapes.at("encoder.layer.2.feed_forward.up.weight"), (Shape{7, 6}));
  EXPECT_EQ(shapes.at("encoder.layer.2.feed_forward.down.weight"), (Shape{6, 7}));
  EXPECT_EQ(shapes.at("classifier.output.weight"), (Shape{4, 6}));
  EXPECT_EQ(shapes.at("classifier.output.bias"), Shape{4});
}

TEST(WeightSpecTest, ListsTheTaggerOfAModelThatHasOne) {
  ModelConfig config = odd_config();
  config.tagger = {.layer = 1, .rank = 5};
  std::map<std::string, Shape> shapes;
  for (const WeightSpec& spec : weight_specs(config)) shapes.emplace(spec.name, spec.shape);

  EXPECT_EQ(shapes.size(), weight_specs(odd_config()).size() + 6U);
  EXPECT_EQ(shapes.at("tagger.cue.weight"), (Shape{3, 6}));
  EXPECT_EQ(shapes.at("tagger.query.weight"), (Shape{5, 6}));
  EXPECT_EQ(shapes.at("tagger.key.bias"), Shape{5});
}

}  // namespace
}  // namespace notbad::model
