// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loss/cross_entropy.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace roadtune::engine {
namespace {

at::Tensor leaf(at::IntArrayRef shape) { return at::randn(shape).requires_grad_(true); }

LabelRows rowsOf(std::int64_t count, std::int64_t vocabulary) {
  LabelRows rows;
  rows.positions = at::arange(count, at::TensorOptions().dtype(at::kLong));
  rows.targets = at::randint(vocabulary, {count}, at::TensorOptions().dtype(at::kLong));
  rows.examples = at::zeros({count}, at::TensorOptions().dtype(at::kLong));
  return rows;
}

TEST(CrossEntropy, ChunksGiveTheLossAndGradientsOfTheWhole) {
  auto hidden = leaf({13, 8}), table = leaf({37, 8});
  const auto rows = rowsOf(13, 37);
  const auto full = at::cross_entropy_loss(at::tanh(at::linear(hidden, table) / 5.0) * 5.0, rows.targets);
  full.backward();
  const auto forHidden = hidden.grad().clone(), forTable = table.grad().clone();
  for (const std::int64_t bytes : {std::int64_t{4 * 37 * 3}, std::int64_t{64 << 20}}) {
    hidden.mutable_grad() = table.mutable_grad() = at::Tensor();
    const auto ours = crossEntropy(hidden, table, rows, 5.0, at::full({13}, 1.0 / 13), 0.0, bytes);
    ours.loss.backward();
    EXPECT_NEAR(ours.loss.item<double>(), full.item<double>(), 5e-6);  // the sum has no fixed order
    EXPECT_LT((hidden.grad() - forHidden).abs().max().item<double>(), 1e-6);
    EXPECT_LT((table.grad() - forTable).abs().max().item<double>(), 1e-6);
  }
}

TEST(CrossEntropy, SmoothingIsTorchs) {
  auto hidden = leaf({5, 4}), table = leaf({9, 4});
  const auto rows = rowsOf(5, 9);
  const auto full = at::cross_entropy_loss(at::linear(hidden, table), rows.targets, {}, 1, -100, 0.2);
  full.backward();
  const auto expected = hidden.grad().clone();
  hidden.mutable_grad() = at::Tensor();
  const auto ours = crossEntropy(hidden, table, rows, 0.0, at::full({5}, 0.2), 0.2);
  ours.loss.backward();
  EXPECT_NEAR(ours.loss.item<double>(), full.item<double>(), 1e-6);
  EXPECT_LT((hidden.grad() - expected).abs().max().item<double>(), 1e-6);
}

TEST(LabelRows, NamesThePositionBeforeEachLabel) {
  auto labels = at::full({2, 4}, -100, at::TensorOptions().dtype(at::kLong));
  labels[0][0] = 9;  // nothing predicts the first token
  labels[0][3] = 5;
  labels[1][2] = 6;
  labels[1][3] = 7;
  const auto rows = labelRows(labels);
  ASSERT_EQ(rows.count(), 3);
  EXPECT_EQ(rows.positions[0].item<std::int64_t>(), 2);
  EXPECT_EQ(rows.positions[1].item<std::int64_t>(), 5);
  EXPECT_EQ(rows.targets[2].item<std::int64_t>(), 7);
  const auto weights = perExampleWeights(rows, 2);
  EXPECT_FLOAT_EQ(weights[0].item<float>(), 0.5f);
  EXPECT_FLOAT_EQ(weights[1].item<float>(), 0.25f);
}

}  // namespace
}  // namespace roadtune::engine
