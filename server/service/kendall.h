#pragma once

#include <optional>
#include <span>

namespace notbad::service {

struct RankCorrelation {
  std::optional<double> tau;  // in [-1, 1]; none where one side has a single value throughout
  std::optional<double> p;    // none where values tie
};

// Kendall's τ-b (Kendall 1938; with ties 1945): (concordant - discordant pairs) / √(pairs that `x`
// orders × pairs that `y` orders). p is two-sided and exact: the share of all orders of `y` whose τ
// is at least as far from 0, which are all alike probable where the two have nothing to do with
// each other. Both spans are of one length.
RankCorrelation kendall_tau(std::span<const float> x, std::span<const float> y);

}  // namespace notbad::service
