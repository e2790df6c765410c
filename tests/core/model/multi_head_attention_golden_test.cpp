#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/model/multi_head_attention.h"
#include "tests/support/golden_files.h"
#include "tests/support/near.h"
#include "tests/support/random_values.h"

namespace notbad::model {
namespace {

using testing::GoldenFile;
using testing::is_near;
using testing::random_tensor;

constexpr float kTolerance = 1e-4F;  // relative to the largest value, at least absolute

// What weights/training/notbad_training/golden.py draws its two cases from.
struct Case {
  std::int64_t d_model;
  std::int64_t num_heads;
  std::uint64_t first_weight_seed;  // query, key, value and output follow each other
  std::uint64_t first_bias_seed;
  float weight_scale;
};
constexpr Case kTextbook{512, 8, 2, 6, 0.0625F};
constexpr std::int64_t kBatch = 32;    // B
constexpr std::int64_t kTokens = 100;  // T
constexpr Case kCross{32, 4, 13, 17, 0.25F};
constexpr std::int64_t kNumQueries = 7;
constexpr std::int64_t kNumKeys = 13;

AttentionWeights weights_of(const Case& from) {
  const auto linear = [&](std::uint64_t index) {
    return LinearWeights{random_tensor(from.first_weight_seed + index, {from.d_model, from.d_model},
                                       from.weight_scale),
                         random_tensor(from.first_bias_seed + index, {from.d_model}, 0.1F)};
  };
  return {.query = linear(0), .key = linear(1), .value = linear(2), .output = linear(3)};
}

Workspace workspace_for(const Case& from, std::int64_t rows, std::int64_t length) {
  ModelConfig config;
  config.d_model = from.d_model;
  config.num_heads = from.num_heads;
  config.d_ff = 1;
  config.max_positions = length;
  return Workspace(config, rows);
}

std::vector<std::int64_t> all_heads(const Case& from) {
  std::vector<std::int64_t> heads;
  for (std::int64_t head = 0; head < from.num_heads; ++head) heads.push_back(head);
  return heads;
}

Tensor causal_mask(std::int64_t num_queries, std::int64_t num_keys) {
  Tensor mask({num_queries, num_keys});
  for (std::int64_t t = 0; t < num_queries; ++t) {
    std::fill_n(mask.matrix().row(t).begin(), t + 1, 1.0F);
  }
  return mask;
}

// Every query may look at the first `length` keys.
Tensor padding_mask(std::int64_t length) {
  Tensor mask({kTokens, kTokens});
  for (std::int64_t t = 0; t < kTokens; ++t) {
    std::fill_n(mask.matrix().row(t).begin(), length, 1.0F);
  }
  return mask;
}

// The textbook case: D 512, H 8, d_k 64, 32 sequences of 100 positions that attend to themselves.
class TextbookAttentionTest : public ::testing::Test {
 protected:
  // One mask for all sequences, one for each, or none. Sequence b counts its first lengths[b] rows.
  void expect_golden(const std::string& name, const std::vector<Tensor>& masks,
                     const std::vector<std::int64_t>& lengths) {
    const std::vector<std::int64_t> heads = all_heads(kTextbook);
    std::vector<AttentionRequest> requests;
    for (std::int64_t b = 0; b < kBatch; ++b) {
      const RowRange rows{b * kTokens, kTokens};
      requests.push_back({.queries = rows,
                          .keys = rows,
                          .mask = masks.empty() ? nullptr : &masks[place(masks, b)],
                          .interventions = {},
                          .captured_heads = heads});
    }
    const AttentionResult result = attention_.forward(x_.matrix(), requests, workspace_);
    expect_slices(name, result);
    expect_checksums(name, result, lengths);
  }

 private:
  static std::size_t place(const std::vector<Tensor>& masks, std::int64_t b) {
    return masks.size() == 1 ? 0 : static_cast<std::size_t>(b);
  }

  void expect_slices(const std::string& name, const AttentionResult& result) const {
    constexpr std::array<std::int64_t, 3> kSequences{0, 13, 31};
    constexpr std::int64_t kFeatures = 16;
    const auto positions = goldens_.integers("positions." + name);  // [3, 3]
    std::vector<float> context;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto row = result.output.row(kSequences[i / 3] * kTokens + positions[i]);
      context.insert(context.end(), row.begin(), row.begin() + kFeatures);
    }
    EXPECT_TRUE(is_near(context, goldens_.tensor(name + ".context.slice").values(), kTolerance));

    const Tensor& maps = result.weights[13];  // [H, T, T]
    std::vector<float> weights;
    for (std::int64_t head = 0; head < kTextbook.num_heads; ++head) {
      for (const std::int64_t query : {0, 37}) {
        const auto row = maps.matrix().row(head * kTokens + query);
        weights.insert(weights.end(), row.begin(), row.end());
      }
    }
    EXPECT_TRUE(is_near(weights, goldens_.tensor(name + ".weights.slice").values(), kTolerance));
  }

  void expect_checksums(const std::string& name, const AttentionResult& result,
                        const std::vector<std::int64_t>& lengths) const {
    const auto sums = goldens_.doubles(name + ".context.sum");
    const auto absolute_sums = goldens_.doubles(name + ".context.abs_sum");
    const Tensor square_sums = goldens_.tensor(name + ".weights.square_sum");  // [B, H]
    for (std::int64_t b = 0; b < kBatch; ++b) {
      const auto sequence = static_cast<std::size_t>(b);
      double sum = 0.0;
      double absolute_sum = 0.0;
      for (std::int64_t t = 0; t < lengths[sequence]; ++t) {
        for (const float value : result.output.row(b * kTokens + t)) {
          sum += static_cast<double>(value);
          absolute_sum += std::abs(static_cast<double>(value));
        }
      }
      // Positive and negative values cancel in the sum: its error is measured by what was summed.
      const double allowed = static_cast<double>(kTolerance) * absolute_sums[sequence];
      EXPECT_NEAR(sum, sums[sequence], allowed) << name << ", sequence " << b;
      EXPECT_NEAR(absolute_sum, absolute_sums[sequence], allowed) << name << ", sequence " << b;
      EXPECT_TRUE(is_near(squares(result.weights[sequence], lengths[sequence]),
                          square_sums.matrix().row(b), kTolerance))
          << name << ", sequence " << b;
    }
  }

  // maps [H, T, T] -> [H], over the first `length` queries
  static std::vector<float> squares(const Tensor& maps, std::int64_t length) {
    std::vector<float> sums;
    for (std::int64_t head = 0; head < kTextbook.num_heads; ++head) {
      double sum = 0.0;
      for (std::int64_t t = 0; t < length; ++t) {
        for (const float weight : maps.matrix().row(head * kTokens + t)) {
          sum += static_cast<double>(weight) * static_cast<double>(weight);
        }
      }
      sums.push_back(static_cast<float>(sum));
    }
    return sums;
  }

  GoldenFile goldens_{"textbook_attention.safetensors"};
  Tensor x_ = random_tensor(1, {kBatch * kTokens, kTextbook.d_model});
  MultiHeadAttention attention_ =
      MultiHeadAttention::self_attention(weights_of(kTextbook), kTextbook.num_heads).value();
  Workspace workspace_ = workspace_for(kTextbook, kBatch* kTokens, kTokens);
};

TEST_F(TextbookAttentionTest, WithoutMaskIsThatOfTheTwin) {
  expect_golden("unmasked", {}, std::vector<std::int64_t>(kBatch, kTokens));
}

TEST_F(TextbookAttentionTest, WithPaddingMaskIsThatOfTheTwin) {
  std::vector<Tensor> masks;
  std::vector<std::int64_t> lengths;
  for (std::int64_t b = 0; b < kBatch; ++b) {
    lengths.push_back(kTokens - 3 * b);
    masks.push_back(padding_mask(lengths.back()));
  }

  expect_golden("padding", masks, lengths);
}

TEST_F(TextbookAttentionTest, WithCausalMaskIsThatOfTheTwin) {
  std::vector<Tensor> masks;
  masks.push_back(causal_mask(kTokens, kTokens));

  expect_golden("causal", masks, std::vector<std::int64_t>(kBatch, kTokens));
}

// 7 queries from one source look at 13 keys of another.
void expect_cross_golden(const std::string& name, const Tensor* mask) {
  const GoldenFile goldens("textbook_attention.safetensors");
  const Tensor queries = random_tensor(11, {kNumQueries, kCross.d_model});
  const Tensor sources = random_tensor(12, {kNumKeys, kCross.d_model});
  const auto attention =
      MultiHeadAttention::cross_attention(weights_of(kCross), kCross.num_heads).value();
  Workspace workspace = workspace_for(kCross, kNumKeys, kNumKeys);
  const std::vector<std::int64_t> heads = all_heads(kCross);
  const AttentionRequest request{.queries = {0, kNumQueries},
                                 .keys = {0, kNumKeys},
                                 .mask = mask,
                                 .interventions = {},
                                 .captured_heads = heads};

  const AttentionResult result =
      attention.forward(queries.matrix(), sources.matrix(), {&request, 1}, workspace);

  EXPECT_TRUE(
      is_near(result.weights.at(0), goldens.tensor("cross." + name + ".weights"), kTolerance));
  const std::span<const float> context(result.output.data(), queries.values().size());
  EXPECT_TRUE(is_near(context, goldens.tensor("cross." + name + ".context").values(), kTolerance));
}

TEST(CrossAttentionTest, WithoutMaskIsThatOfTheTwin) { expect_cross_golden("unmasked", nullptr); }

TEST(CrossAttentionTest, WithCausalMaskIsThatOfTheTwin) {
  const Tensor mask = causal_mask(kNumQueries, kNumKeys);

  expect_cross_golden("causal", &mask);
}

// No query sees key 5, and query 2 sees nothing at all.
TEST(CrossAttentionTest, WithHolesInTheMaskIsThatOfTheTwin) {
  Tensor mask({kNumQueries, kNumKeys});
  for (std::int64_t query = 0; query < kNumQueries; ++query) {
    const auto row = mask.matrix().row(query);
    if (query != 2) std::fill(row.begin(), row.end(), 1.0F);
    row[5] = 0.0F;
  }

  expect_cross_golden("hole", &mask);
}

}  // namespace
}  // namespace notbad::model
