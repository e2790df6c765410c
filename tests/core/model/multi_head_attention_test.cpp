#include "core/model/multi_head_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/random_values.h"
#include "tests/support/reference_ops.h"

namespace notbad::model {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::is_near;
using testing::random_tensor;

constexpr std::int64_t kWidth = 12;  // D
constexpr std::int64_t kHeads = 3;   // H
constexpr std::int64_t kHeadWidth = kWidth / kHeads;
constexpr std::int64_t kRows = 24;
constexpr float kTolerance = 5e-6F;

LinearWeights random_linear(std::uint64_t seed) {
  return {random_tensor(seed, {kWidth, kWidth}), random_tensor(seed + 100, {kWidth})};
}

AttentionWeights random_attention() {
  return {.query = random_linear(1),
          .key = random_linear(2),
          .value = random_linear(3),
          .output = random_linear(4)};
}

Workspace make_workspace() {
  ModelConfig config;
  config.d_model = kWidth;
  config.num_heads = kHeads;
  config.d_ff = 1;
  config.max_positions = kRows;
  return Workspace(config, kRows);
}

// The formula head by head for one sequence, from the slow twins.
Tensor reference_attention(const AttentionWeights& weights, ConstMatrixView queries,
                           ConstMatrixView sources, std::optional<ConstMatrixView> mask) {
  const auto project = [](ConstMatrixView x, const LinearWeights& linear) {
    return testing::reference_linear(x, linear.weight.widened(), linear.bias);
  };
  const Tensor q = project(queries, weights.query);  // [Tq, D]
  const Tensor k = project(sources, weights.key);    // [Tk, D]
  const Tensor v = project(sources, weights.value);  // [Tk, D]
  Tensor context({queries.rows(), kWidth});
  for (std::int64_t head = 0; head < kHeads; ++head) {
    const std::int64_t begin = head * kHeadWidth;
    Tensor scores({queries.rows(), sources.rows()});
    for (std::int64_t i = 0; i < queries.rows(); ++i) {
      for (std::int64_t j = 0; j < sources.rows(); ++j) {
        double product = 0.0;
        for (std::int64_t c = begin; c < begin + kHeadWidth; ++c) {
          product += testing::at(q.matrix(), i, c) * testing::at(k.matrix(), j, c);
        }
        scores.matrix().row(i)[static_cast<std::size_t>(j)] =
            static_cast<float>(product / std::sqrt(static_cast<double>(kHeadWidth)));
      }
    }
    const Tensor map = testing::reference_masked_softmax(scores.matrix(), mask);
    const Tensor result =
        testing::reference_matmul(map.matrix(), v.matrix().cols_from(begin, kHeadWidth));
    for (std::int64_t i = 0; i < queries.rows(); ++i) {
      std::ranges::copy(result.matrix().row(i),
                        context.matrix().cols_from(begin, kHeadWidth).row(i).begin());
    }
  }
  return project(context.matrix(), weights.output);
}

Tensor copy_of(ConstMatrixView x) {
  Tensor copy({x.rows(), x.cols()});
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    std::ranges::copy(x.row(row), copy.matrix().row(row).begin());
  }
  return copy;
}

AttentionRequest request_for(std::int64_t begin, std::int64_t length) {
  AttentionRequest request;
  request.queries = {begin, length};
  request.keys = {begin, length};
  return request;
}

class MultiHeadAttentionTest : public ::testing::Test {
 protected:
  AttentionResult attend(const std::vector<AttentionRequest>& requests) {
    return attention_.forward(x_.matrix(), requests, workspace_);
  }

  AttentionWeights weights_ = random_attention();
  MultiHeadAttention attention_ = MultiHeadAttention::self_attention(weights_, kHeads).value();
  Workspace workspace_ = make_workspace();
  Tensor x_ = random_tensor(5, {kRows, kWidth});
  std::vector<std::int64_t> all_heads_{0, 1, 2};
};

TEST_F(MultiHeadAttentionTest, RefusesAWidthThatDoesNotDivideByTheHeadsWithBothNumbers) {
  for (const std::int64_t heads : {5, 0, -3}) {
    for (const auto& made : {MultiHeadAttention::self_attention(weights_, heads),
                             MultiHeadAttention::cross_attention(weights_, heads)}) {
      ASSERT_FALSE(made.has_value());
      EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
      EXPECT_THAT(made.error().message, AllOf(HasSubstr("12"), HasSubstr(std::to_string(heads))));
    }
  }
}

TEST_F(MultiHeadAttentionTest, IsTheSlowTwinForEverySequenceOfAPackedBatch) {
  const auto result = attend({request_for(0, 1), request_for(1, 3), request_for(4, 17)});

  for (const RowRange rows : {RowRange{0, 1}, RowRange{1, 3}, RowRange{4, 17}}) {
    const ConstMatrixView x = x_.matrix().rows_from(rows.begin, rows.length);
    EXPECT_TRUE(is_near(copy_of(result.output.rows_from(rows.begin, rows.length)),
                        reference_attention(weights_, x, x, std::nullopt), kTolerance))
        << rows.length << " tokens";
  }
}

TEST_F(MultiHeadAttentionTest, IsTheSlowTwinUnderAnyMask) {
  Tensor mask = random_tensor(6, {17, 17});
  for (float& value : mask.values()) value = value > 0.2F ? 1.0F : 0.0F;
  AttentionRequest request = request_for(4, 17);
  request.mask = &mask;

  const auto result = attend({request});

  const ConstMatrixView x = x_.matrix().rows_from(4, 17);
  EXPECT_TRUE(is_near(copy_of(result.output.rows_from(4, 17)),
                      reference_attention(weights_, x, x, mask.matrix()), kTolerance));
}

TEST_F(MultiHeadAttentionTest, CrossAttentionIsTheSlowTwin) {
  const auto cross = MultiHeadAttention::cross_attention(weights_, kHeads).value();
  const Tensor queries = random_tensor(7, {8, kWidth});
  std::vector<AttentionRequest> requests(2);
  requests[0].queries = {0, 3};
  requests[0].keys = {0, 17};
  requests[1].queries = {3, 5};
  requests[1].keys = {17, 2};

  const auto result = cross.forward(queries.matrix(), x_.matrix(), requests, workspace_);

  for (const AttentionRequest& request : requests) {
    const auto [query_begin, num_queries] = request.queries;
    const auto [key_begin, num_keys] = request.keys;
    EXPECT_TRUE(
        is_near(copy_of(result.output.rows_from(query_begin, num_queries)),
                reference_attention(weights_, queries.matrix().rows_from(query_begin, num_queries),
                                    x_.matrix().rows_from(key_begin, num_keys), std::nullopt),
                kTolerance));
  }
}

TEST_F(MultiHeadAttentionTest, CrossAttentionOfOneSourceIsSelfAttention) {
  const auto cross = MultiHeadAttention::cross_attention(weights_, kHeads).value();
  const Tensor self_output = copy_of(attend({request_for(0, kRows)}).output);

  const auto result =
      cross.forward(x_.matrix(), x_.matrix(), std::vector{request_for(0, kRows)}, workspace_);

  EXPECT_TRUE(is_near(copy_of(result.output), self_output, kTolerance));
}

TEST_F(MultiHeadAttentionTest, SelfAttentionRefusesASecondSource) {
  const Tensor other = x_;

  EXPECT_THROW(attention_.forward(x_.matrix(), other.matrix(), {}, workspace_), std::logic_error);
}

TEST_F(MultiHeadAttentionTest, GivesMaskedKeysExactlyZeroWeight) {
  Tensor mask({3, 3}, {1, 0, 1, 1, 1, 0, 0, 0, 1});
  AttentionRequest request = request_for(2, 3);
  request.mask = &mask;
  request.captured_heads = all_heads_;

  const Tensor maps = attend({request}).weights.at(0);  // [H, 3, 3]

  for (std::int64_t row = 0; row < maps.matrix().rows(); ++row) {
    for (std::size_t key = 0; key < 3; ++key) {
      const bool is_masked = mask.matrix().row(row % 3)[key] == 0.0F;
      EXPECT_EQ(maps.matrix().row(row)[key] == 0.0F, is_masked) << "row " << row << " key " << key;
    }
  }
}

TEST_F(MultiHeadAttentionTest, GivesAFullyMaskedRowZeroWeightsAndTheOutputBias) {
  Tensor mask({2, 2}, {0, 0, 1, 1});
  AttentionRequest request = request_for(0, 2);
  request.mask = &mask;
  request.captured_heads = all_heads_;

  const auto result = attend({request});

  for (std::int64_t head = 0; head < kHeads; ++head) {
    EXPECT_THAT(result.weights.at(0).matrix().row(head * 2), Each(0.0F));
  }
  EXPECT_TRUE(is_near(result.output.row(0), weights_.output.bias.values(), 1e-7F));
}

TEST_F(MultiHeadAttentionTest, RowsOfWeightsSumToOne) {
  AttentionRequest request = request_for(4, 17);
  request.captured_heads = all_heads_;

  const Tensor maps = attend({request}).weights.at(0);

  for (std::int64_t row = 0; row < maps.matrix().rows(); ++row) {
    const auto weights = maps.matrix().row(row);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0F), 1.0F, 1e-6F) << row;
  }
}

TEST_F(MultiHeadAttentionTest, HandsBackTheHeadsAskedInTheirOrder) {
  AttentionRequest all = request_for(0, 3);
  all.captured_heads = all_heads_;
  const std::vector<std::int64_t> some = {2, 0};
  AttentionRequest two = request_for(0, 3);
  two.captured_heads = some;

  const Tensor all_maps = attend({all}).weights.at(0);
  const Tensor two_maps = attend({two}).weights.at(0);

  ASSERT_EQ(two_maps.shape(), (Shape{2, 3, 3}));
  EXPECT_TRUE(std::equal(two_maps.data(), two_maps.data() + 9, all_maps.data() + 18));
  EXPECT_TRUE(std::equal(two_maps.data() + 9, two_maps.data() + 18, all_maps.data()));
}

TEST_F(MultiHeadAttentionTest, KeepsNoWeightsUnlessAsked) {
  AttentionRequest asking = request_for(3, 2);
  asking.captured_heads = all_heads_;

  EXPECT_THAT(attend({request_for(0, 3)}).weights, ::testing::IsEmpty());
  const auto weights = attend({request_for(0, 3), asking}).weights;
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_TRUE(weights[0].is_empty());
  EXPECT_EQ(weights[1].shape(), (Shape{kHeads, 2, 2}));
}

TEST_F(MultiHeadAttentionTest, RefusesMoreThanTheWorkspaceHolds) {
  const auto cross = MultiHeadAttention::cross_attention(weights_, kHeads).value();
  const Tensor many({kRows + 8, kWidth});
  const std::vector too_long = {request_for(0, kRows + 8)};
  AttentionRequest wide = request_for(0, kRows);
  wide.keys.length = kRows + 1;

  EXPECT_THROW(attention_.forward(many.matrix(), too_long, workspace_), std::logic_error);
  EXPECT_THROW(cross.forward(x_.matrix(), many.matrix(), std::vector{wide}, workspace_),
               std::logic_error);
}

TEST_F(MultiHeadAttentionTest, RefusesRowsOutsideTheBatch) {
  EXPECT_THROW(attend({request_for(20, 5)}), std::logic_error);
}

// A value of zero at the first token is a weight of zero on it.
TEST_F(MultiHeadAttentionTest, ARestingHeadGetsNothingFromTheFirstTokenOfEachSequence) {
  std::vector<Intervention> cuts;
  for (std::int64_t from = 0; from < 3; ++from) {
    cuts.push_back(CutLink{.layer = 0, .head = 1, .from = from, .to = 0});
  }
  std::vector<AttentionRequest> requests = {request_for(0, 3), request_for(3, 3)};
  for (AttentionRequest& request : requests) request.interventions = cuts;
  const Tensor expected = copy_of(attend(requests).output.rows_from(0, 6));
  attention_ = MultiHeadAttention::self_attention(weights_, kHeads, 1).value();

  const auto result = attend({request_for(0, 3), request_for(3, 3)});

  EXPECT_TRUE(is_near(copy_of(result.output.rows_from(0, 6)), expected, kTolerance));
}

TEST_F(MultiHeadAttentionTest, ARestingHeadKeepsItsWeights) {
  AttentionRequest request = request_for(0, 5);
  request.captured_heads = all_heads_;
  const Tensor plain = attend({request}).weights.at(0);
  attention_ = MultiHeadAttention::self_attention(weights_, kHeads, 1).value();

  EXPECT_TRUE(std::ranges::equal(attend({request}).weights.at(0).values(), plain.values()));
}

}  // namespace
}  // namespace notbad::model
