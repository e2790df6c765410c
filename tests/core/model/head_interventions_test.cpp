#include "core/model/head_interventions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/near.h"

namespace notbad::model {
namespace {

using ::testing::ElementsAre;
using testing::is_near;

// Two heads over two tokens, head by head.
class HeadInterventionsTest : public ::testing::Test {
 protected:
  Tensor changed(const std::vector<Intervention>& interventions, const Tensor* mask = nullptr) {
    AttentionRequest request;
    request.queries = {0, 2};
    request.keys = {0, 2};
    request.layer = 1;
    request.mask = mask;
    request.interventions = interventions;
    Tensor weights({4, 2}, {0.9F, 0.1F, 0.2F, 0.8F, 0.7F, 0.3F, 0.4F, 0.6F});
    change_weights(request, weights.matrix());
    return weights;
  }

  Tensor untouched_ = changed({});
};

TEST_F(HeadInterventionsTest, PassOverOtherLayers) {
  const auto weights = changed(
      {HeadUniform{.layer = 0, .head = 0}, CutLink{.layer = 2, .head = 1, .from = 0, .to = 0}});

  EXPECT_THAT(weights.values(), ::testing::ElementsAreArray(untouched_.values()));
}

TEST_F(HeadInterventionsTest, UniformSpreadsTheWeightOfItsHeadOnly) {
  const auto weights = changed({HeadUniform{.layer = 1, .head = 1}});

  EXPECT_THAT(weights.values(), ElementsAre(0.9F, 0.1F, 0.2F, 0.8F, 0.5F, 0.5F, 0.5F, 0.5F));
}

TEST_F(HeadInterventionsTest, UniformKeepsTheMask) {
  const Tensor mask({2, 2}, {0, 1, 0, 0});

  const auto weights = changed({HeadUniform{.layer = 1, .head = 0}}, &mask);

  EXPECT_THAT(weights.matrix().row(0), ElementsAre(0.0F, 1.0F));
  EXPECT_THAT(weights.matrix().row(1), ElementsAre(0.0F, 0.0F));
}

TEST_F(HeadInterventionsTest, CutZeroesOneWeightAndLeavesTheRest) {
  const auto weights = changed({CutLink{.layer = 1, .head = 0, .from = 1, .to = 0}});

  EXPECT_THAT(weights.values(), ElementsAre(0.9F, 0.1F, 0.0F, 0.8F, 0.7F, 0.3F, 0.4F, 0.6F));
}

TEST_F(HeadInterventionsTest, CutWithRenormalisationGrowsTheRestBackToOne) {
  const auto weights =
      changed({CutLink{.layer = 1, .head = 0, .from = 1, .to = 0, .renormalise = true}});

  EXPECT_THAT(weights.matrix().row(1), ElementsAre(0.0F, 1.0F));
  EXPECT_THAT(weights.matrix().row(0), ElementsAre(0.9F, 0.1F));
}

TEST_F(HeadInterventionsTest, RenormalisingAnEmptyRowLeavesZeros) {
  const auto weights =
      changed({CutLink{.layer = 1, .head = 0, .from = 0, .to = 0, .renormalise = true},
               CutLink{.layer = 1, .head = 0, .from = 0, .to = 1, .renormalise = true}});

  EXPECT_THAT(weights.matrix().row(0), ElementsAre(0.0F, 0.0F));
}

TEST_F(HeadInterventionsTest, CutsCountAfterUniformInAnyOrder) {
  const CutLink cut{.layer = 1, .head = 0, .from = 0, .to = 0};
  const HeadUniform uniform{.layer = 1, .head = 0};

  EXPECT_THAT(changed({cut, uniform}).matrix().row(0), ElementsAre(0.0F, 0.5F));
  EXPECT_THAT(changed({uniform, cut}).matrix().row(0), ElementsAre(0.0F, 0.5F));
}

TEST_F(HeadInterventionsTest, OffIsAskedForByLayerAndHead) {
  const std::vector<Intervention> interventions = {HeadOff{.layer = 1, .head = 0},
                                                   HeadUniform{.layer = 1, .head = 1}};
  AttentionRequest request;
  request.interventions = interventions;

  request.layer = 1;
  EXPECT_TRUE(is_head_off(request, 0));
  EXPECT_FALSE(is_head_off(request, 1));
  request.layer = 0;
  EXPECT_FALSE(is_head_off(request, 0));
}

}  // namespace
}  // namespace notbad::model
