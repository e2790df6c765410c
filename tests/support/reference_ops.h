#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/tensor/matrix_view.h"
#include "core/tensor/tensor.h"

// The slow twin of every op: the formula in plain loops and in double, no cleverness.
namespace notbad::testing {

inline double at(ConstMatrixView x, std::int64_t row, std::int64_t col) {
  return static_cast<double>(x.row(row)[static_cast<std::size_t>(col)]);
}

// x [M, K], weight [N, K], bias [N] -> [M, N]
inline Tensor reference_linear(ConstMatrixView x, const Tensor& weight, const Tensor& bias) {
  Tensor y({x.rows(), weight.dim(0)});
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    for (std::int64_t out = 0; out < weight.dim(0); ++out) {
      double sum = static_cast<double>(bias.values()[static_cast<std::size_t>(out)]);
      for (std::int64_t in = 0; in < x.cols(); ++in) {
        sum += at(x, row, in) * at(weight.matrix(), out, in);
      }
      y.matrix().row(row)[static_cast<std::size_t>(out)] = static_cast<float>(sum);
    }
  }
  return y;
}

// 0.5 x (1 + erf(x / sqrt(2))), value by value
inline Tensor reference_gelu(Tensor x) {
  for (float& value : x.values()) {
    const auto exact = static_cast<double>(value);
    value = static_cast<float>(0.5 * exact * (1.0 + std::erf(exact / std::sqrt(2.0))));
  }
  return x;
}

inline Tensor reference_layer_norm(ConstMatrixView x, const Tensor& scale, const Tensor& shift,
                                   double epsilon) {
  Tensor y({x.rows(), x.cols()});
  const auto count = static_cast<double>(x.cols());
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    double mean = 0.0;
    for (std::int64_t i = 0; i < x.cols(); ++i) mean += at(x, row, i) / count;
    double variance = 0.0;
    for (std::int64_t i = 0; i < x.cols(); ++i) {
      variance += (at(x, row, i) - mean) * (at(x, row, i) - mean) / count;
    }
    for (std::int64_t i = 0; i < x.cols(); ++i) {
      const auto feature = static_cast<std::size_t>(i);
      const double normal = (at(x, row, i) - mean) / std::sqrt(variance + epsilon);
      y.matrix().row(row)[feature] =
          static_cast<float>(normal * static_cast<double>(scale.values()[feature]) +
                             static_cast<double>(shift.values()[feature]));
    }
  }
  return y;
}

// a [m, k] · b [k, n] -> [m, n]
inline Tensor reference_matmul(ConstMatrixView a, ConstMatrixView b) {
  Tensor c({a.rows(), b.cols()});
  for (std::int64_t row = 0; row < a.rows(); ++row) {
    for (std::int64_t col = 0; col < b.cols(); ++col) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < a.cols(); ++k) sum += at(a, row, k) * at(b, k, col);
      c.matrix().row(row)[static_cast<std::size_t>(col)] = static_cast<float>(sum);
    }
  }
  return c;
}

// Every row of scores over the keys that the mask [Tq, Tk] allows, the mask again for every Tq
// rows.
inline Tensor reference_masked_softmax(ConstMatrixView scores,
                                       std::optional<ConstMatrixView> mask) {
  Tensor weights({scores.rows(), scores.cols()});
  for (std::int64_t row = 0; row < scores.rows(); ++row) {
    const auto is_allowed = [&](std::int64_t key) {
      return !mask || at(*mask, row % mask->rows(), key) != 0.0;
    };
    double largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t key = 0; key < scores.cols(); ++key) {
      if (is_allowed(key)) largest = std::max(largest, at(scores, row, key));
    }
    double sum = 0.0;
    for (std::int64_t key = 0; key < scores.cols(); ++key) {
      if (is_allowed(key)) sum += std::exp(at(scores, row, key) - largest);
    }
    for (std::int64_t key = 0; key < scores.cols(); ++key) {
      if (!is_allowed(key)) continue;
      weights.matrix().row(row)[static_cast<std::size_t>(key)] =
          static_cast<float>(std::exp(at(scores, row, key) - largest) / sum);
    }
  }
  return weights;
}

}  // namespace notbad::testing
