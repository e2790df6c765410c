#include "server/service/kendall.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/base/check.h"

namespace notbad::service {
namespace {

int sign(float difference) { return (difference > 0) - (difference < 0); }

// Entry k: the share of the orders of `length` things in which k pairs stand the wrong way round.
std::vector<double> inversion_shares(std::int64_t length) {
  std::vector<double> shares = {1.0};
  for (std::int64_t n = 2; n <= length; ++n) {
    // The n-th thing may stand in any of n places and so adds 0 to n - 1 inversions.
    std::vector<double> next(shares.size() + static_cast<std::size_t>(n) - 1, 0.0);
    double window = 0.0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (k < shares.size()) window += shares[k];
      if (k >= static_cast<std::size_t>(n)) window -= shares[k - static_cast<std::size_t>(n)];
      next[k] = window / static_cast<double>(n);
    }
    shares = std::move(next);
  }
  return shares;
}

double two_sided_p(std::int64_t length, std::int64_t concordant_less_discordant) {
  const std::vector<double> shares = inversion_shares(length);
  const std::int64_t pairs = std::ssize(shares) - 1;
  double p = 0.0;
  for (std::int64_t inversions = 0; inversions <= pairs; ++inversions) {
    if (std::abs(pairs - 2 * inversions) >= std::abs(concordant_less_discordant))
      p += shares[static_cast<std::size_t>(inversions)];
  }
  return std::min(p, 1.0);
}

}  // namespace

RankCorrelation kendall_tau(std::span<const float> x, std::span<const float> y) {
  check(x.size() == y.size(), "kendall_tau: expected as many x as y");
  std::int64_t score = 0;
  std::int64_t ordered_x = 0;
  std::int64_t ordered_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int in_x = sign(x[i] - x[j]);
      const int in_y = sign(y[i] - y[j]);
      score += static_cast<std::int64_t>(in_x) * in_y;
      ordered_x += std::abs(in_x);
      ordered_y += std::abs(in_y);
    }
  }
  if (ordered_x == 0 || ordered_y == 0) return {};
  const double tau = static_cast<double>(score) /
                     std::sqrt(static_cast<double>(ordered_x) * static_cast<double>(ordered_y));
  const auto length = std::ssize(x);
  const bool has_ties = std::min(ordered_x, ordered_y) < length * (length - 1) / 2;
  if (has_ties) return {tau, std::nullopt};
  return {tau, two_sided_p(length, score)};
}

}  // namespace notbad::service
