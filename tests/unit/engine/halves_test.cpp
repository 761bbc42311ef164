// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/halves.h"

#include "core/engine/cuda/rows/halves.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/token_table.h"
#include "core/engine/optim/adamw.h"
#include "core/engine/optim/weight_average.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace roadtune::engine {
namespace {

at::Tensor ofBits(const at::Tensor& bits) { return bits.to(at::kInt).view(at::kFloat); }

struct Parts {
  at::Tensor upper, lower;
};

Parts partsOf(const at::Tensor& values) {
  Parts parts{at::empty(values.sizes(), at::kBFloat16), at::empty(values.sizes(), at::kShort)};
  split(values, parts.upper, parts.lower);
  return parts;
}

// Every sign and exponent, upper mantissas on either side of a carry, and lower halves: all that matter, and others.
at::Tensor allKinds() {
  const auto high = at::arange(512, at::kLong) * (1 << 23);
  const auto low =
      at::cat({at::randint(1 << 16, {250}, at::kLong), asTensor<std::int64_t>({0, 1, 0x7fff, 0x8000, 0x8001, 0xffff})});
  const auto mantissas = asTensor<std::int64_t>({0, 1, 126, 127}) * (1 << 16);
  return ofBits((high.view({-1, 1, 1}) + mantissas.view({-1, 1}) + low).flatten());
}

TEST(Halves, AreJoinedAgainAndTheUpperOneIsWhatTorchRoundsTo) {
  const auto values = allKinds(), numbers = values.isnan().logical_not();
  const auto parts = partsOf(values);
  const auto back = joined(parts.upper, parts.lower);
  const auto bits = values.view(at::kInt);
  const auto moved = bits.bitwise_and(0x1ffff).eq(0x8000).to(at::kInt);  // by one, towards zero
  EXPECT_TRUE(back.view(at::kInt).eq(bits - moved).logical_or(values.isnan()).all().item<bool>());
  EXPECT_TRUE(at::equal(back.isnan(), values.isnan()));
  const auto again = partsOf(back);
  EXPECT_TRUE(at::equal(again.lower, parts.lower)) << "once";
  EXPECT_TRUE(at::equal(parts.upper.isnan(), values.isnan())) << "what the model computes with";
  EXPECT_TRUE(parts.upper.eq(values.to(at::kBFloat16)).masked_select(numbers).all().item<bool>());
}

TEST(Halves, OfOneNumberAreThoseOfATensor) {
  const auto values = allKinds();
  const auto parts = partsOf(values), again = partsOf(values.to(at::kDouble));
  EXPECT_TRUE(at::equal(again.lower, parts.lower)) << "whatever type they came in";
  const auto upper = parts.upper.view(at::kShort);
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    const float value = values.const_data_ptr<float>()[i];
    const auto halves = cuda::halvesOf(value);
    ASSERT_EQ(static_cast<std::int16_t>(halves.upper.bits), upper.const_data_ptr<std::int16_t>()[i]) << value;
    ASSERT_EQ(static_cast<std::int16_t>(halves.lower), parts.lower.const_data_ptr<std::int16_t>()[i]) << value;
  }
}

FlatGroup groupOf(const at::Tensor& values, bool inHalves) {
  FlatGroup group{.learningRate = 1, .weightDecay = 0.1};
  group.values = values.clone();
  if (inHalves) {
    group.values = at::empty(values.sizes(), at::kBFloat16);
    group.remainders = at::empty(values.sizes(), at::kShort);
    group.setValues(0, values);
  }
  return group;
}

// But for the last bit of few.
void expectNearly(const FlatGroup& halved, const FlatGroup& whole) {
  const auto apart = halved.exact(0, whole.values.numel()).sub(whole.values).abs();
  EXPECT_LE(apart.max().item<float>(), 1e-6f);
  EXPECT_LT(apart.ne(0).sum().item<std::int64_t>(), whole.values.numel() / 10'000);
}

TEST(Halves, AveragesAreThoseOfFloat32) {
  const auto values = at::randn({(1 << 22) + 77});  // more than one part
  std::vector<FlatGroup> whole{groupOf(values, false)}, halved{groupOf(values, true)};
  WeightAverage expected(0.9, whole), average(0.9, halved);
  const auto one = at::ones({}, at::kFloat);
  for (int step = 0; step < 2; ++step) {
    const auto next = at::randn(values.sizes());
    whole[0].setValues(0, next);
    halved[0].setValues(0, next);
    expected.update(whole, one);
    average.update(halved, one);
  }
  expected.swap(whole);
  average.swap(halved);
  expectNearly(halved[0], whole[0]);
  EXPECT_FALSE(at::equal(whole[0].values, values));
  average.swap(halved);
  expected.swap(whole);
  expectNearly(halved[0], whole[0]);
}

// A leaf in 16 bits, as which the model computes, collects in float32 what passes add, whoever makes it.
TEST(Halves, GradientsMayBeWiderThanTheirLeaf) {
  Parameter weight{"weight", at::randn({4, 6}).to(at::kBFloat16).requires_grad_(true), true};
  const Linear linear("layer", &weight, nullptr);
  auto table = at::randn({5, 6}).to(at::kBFloat16).requires_grad_(true);
  auto plain = weight.value.detach().clone().requires_grad_(true);
  for (auto* leaf : {&weight.value, &table, &plain}) leaf->mutable_grad() = at::zeros(leaf->sizes(), at::kFloat);
  ForwardContext context;
  context.type = at::kBFloat16;
  const auto expected = at::zeros({4, 6}), ofTable = at::zeros({5, 6});
  for (int pass = 0; pass < 3; ++pass) {
    const auto x = at::randn({3, 6}).to(at::kBFloat16), g = at::randn({3, 4}).to(at::kBFloat16);
    const auto ids = at::randint(5, {3}, at::kLong);
    linear.base(x, context).backward(g);
    (plain * 1).backward(at::matmul(g.t(), x));  // autograd adds
    lookUp(table, ids, -1, std::make_shared<TableGradient>(), true).backward(x);
    expected.add_(at::matmul(g.t(), x));
    ofTable.index_add_(0, ids, x.to(at::kFloat));
  }
  for (const auto& [leaf, sum] : {std::pair(weight.value, expected), {plain, expected}, {table, ofTable}}) {
    EXPECT_EQ(leaf.grad().scalar_type(), at::kFloat);
    EXPECT_TRUE(at::equal(leaf.grad(), sum)) << "no sum was rounded";
    EXPECT_FALSE(at::equal(leaf.grad(), sum.to(at::kBFloat16).to(at::kFloat)));
  }
}

}  // namespace
}  // namespace roadtune::engine
