#include "server/service/head_kinds.h"

#include <cmath>
#include <cstdint>
#include <span>

#include "core/base/check.h"

namespace notbad::service {
namespace {

constexpr double kFlatEntropy = 0.9;  // of the largest possible, log T
constexpr double kMostOfTheWeight = 0.5;

class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  double value() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }

 private:
  double sum_ = 0.0;
  std::int64_t count_ = 0;
};

double entropy(std::span<const float> row) {
  double sum = 0.0;
  for (const float weight : row) {
    if (weight > 0) sum -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
  }
  return sum;
}

}  // namespace

HeadKind head_kind(ConstMatrixView map, const tokenizer::Encoding& encoding) {
  const auto num_tokens = std::ssize(encoding.tokens);
  check(map.rows() == num_tokens && map.cols() == num_tokens,
        "head_kind: expected a map [T, T] of this encoding");
  const auto is_ordinary = [&](std::int64_t token) {
    return token >= 0 && token < num_tokens &&
           !encoding.tokens[static_cast<std::size_t>(token)].is_special();
  };
  Mean flatness;
  Mean on_special;
  Mean on_previous;
  Mean on_next;
  for (std::int64_t from = 0; from < num_tokens; ++from) {
    if (!is_ordinary(from)) continue;
    const std::span<const float> row = map.row(from);
    flatness.add(entropy(row) / std::log(static_cast<double>(num_tokens)));
    double special = 0.0;
    for (std::int64_t to = 0; to < num_tokens; ++to)
      if (!is_ordinary(to)) special += row[static_cast<std::size_t>(to)];
    on_special.add(special);
    if (is_ordinary(from - 1)) on_previous.add(row[static_cast<std::size_t>(from - 1)]);
    if (is_ordinary(from + 1)) on_next.add(row[static_cast<std::size_t>(from + 1)]);
  }
  if (flatness.value() >= kFlatEntropy) return HeadKind::kFlat;
  if (on_special.value() >= kMostOfTheWeight) return HeadKind::kSink;
  if (on_previous.value() >= kMostOfTheWeight) return HeadKind::kPrevious;
  if (on_next.value() >= kMostOfTheWeight) return HeadKind::kNext;
  return HeadKind::kFocused;
}

}  // namespace notbad::service
