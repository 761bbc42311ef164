// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/direct_gradient.h"

#include "core/engine/loss/cross_entropy.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/parameter.h"
#include "core/engine/nn/products.h"
#include "core/engine/nn/token_table.h"
#include "core/engine/optim/flat_group.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace roadtune::engine {
namespace {

at::Tensor leaf(const at::Tensor& value, bool collected) {
  auto result = value.detach().clone().requires_grad_(true);
  if (collected) result.mutable_grad() = at::ones_like(value);  // of an earlier pass
  return result;
}

void expectSame(const at::Tensor& direct, const at::Tensor& plain) {
  EXPECT_TRUE(at::allclose(direct.grad() - 1, plain.grad(), 1e-4, 1e-5));
}

TEST(DirectGradient, OnlyForLeavesThatCollect) {
  const ForwardContext context;
  EXPECT_TRUE(addsDirectly(leaf(at::ones({2, 2}), true), context));
  EXPECT_FALSE(addsDirectly(leaf(at::ones({2, 2}), false), context));
  EXPECT_FALSE(addsDirectly(at::ones({2, 2}), context));
  EXPECT_FALSE(addsDirectly(leaf(at::ones({2, 2}), true) * 2, context));
  const c10::NoGradGuard noGrad;
  EXPECT_FALSE(addsDirectly(leaf(at::ones({2, 2}), true), context));
}

TEST(DirectGradient, OfWeightsThatShareAProductGoesToEachOfThem) {
  const auto x = at::randn({5, 6}), one = at::randn({2, 6}), other = at::randn({3, 6}), g = at::randn({5, 5});
  const auto a1 = leaf(one, true), b1 = leaf(other, true), a2 = leaf(one, false), b2 = leaf(other, false);
  const auto direct = products(leaf(x, false), {{a1, nullptr, {}, true, at::cat({one, other}), {b1}}})[0];
  const auto plain = at::linear(x, at::cat({a2, b2}));
  EXPECT_TRUE(at::equal(direct, plain));
  direct.backward(g);
  plain.backward(g);
  expectSame(a1, a2);
  expectSame(b1, b2);
}

// What is left of a step before is as bad as it can be: no number.
TEST(OutdatedGradient, IsReplacedByTheFirstProductAndIsZeroWhereThereWasNone) {
  for (const auto type : {at::kFloat, at::kBFloat16}) {  // products write, autograd adds
    Parameter weight{"weight", at::randn({4, 6}), true}, unused{"unused", at::randn({4, 6}), true},
        table{"table", at::randn({10}), true};
    const Linear linear("layer", &weight, nullptr), idle("idle", &unused, nullptr);
    FlatGroup group{
        .members = {&weight, &table, &unused}, .offsets = {0, 32, 48}, .begins = {0, 0, 0}, .counts = {24, 10, 24}};
    group.gradients = at::full({80}, NAN);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      group.members[i]->value.requires_grad_(true);
      group.members[i]->value.mutable_grad() = group.slice(group.gradients, i);
    }
    ForwardContext context;
    context.type = type;
    const auto plain = weight.value.detach().clone().requires_grad_(true);
    for (int step = 0; step < 2; ++step) {
      group.gradients.narrow(0, 0, 24).fill_(NAN);
      plain.mutable_grad() = at::Tensor();
      group.restartGradients();
      EXPECT_TRUE(weight.outdated && unused.outdated && !table.outdated);
      for (int pass = 0; pass < 2; ++pass) {
        const auto x = at::randn({3, 6}).to(type), g = at::randn({3, 4}).to(type);
        linear.base(x, context).backward(g);
        at::linear(x, plain.to(type)).backward(g);
        EXPECT_FALSE(weight.outdated);
      }
      group.finishGradients();
      EXPECT_TRUE(at::allclose(weight.value.grad(), plain.grad(), 1e-2, 1e-2)) << type;
      EXPECT_EQ(group.gradients.narrow(0, 24, 56).abs().max().item<float>(), 0) << "others, and what lies between";
    }
  }
}

TEST(DirectGradient, OfALinearLayerIsAutogradsAddedToWhatIsThere) {
  const auto x = at::randn({2, 5, 6}), w = at::randn({4, 6}), b = at::randn({4}), g = at::randn({2, 5, 4});
  for (const bool biased : {false, true}) {
    const auto x1 = leaf(x, false), w1 = leaf(w, true), b1 = leaf(b, true);
    const auto x2 = leaf(x, false), w2 = leaf(w, false), b2 = leaf(b, false);
    const auto direct = products(x1, {{w1, nullptr, biased ? b1 : at::Tensor(), true}})[0];
    const auto plain = at::linear(x2, w2, biased ? b2 : at::Tensor());
    EXPECT_TRUE(at::equal(direct, plain));
    direct.backward(g);
    plain.backward(g);
    EXPECT_TRUE(at::allclose(x1.grad(), x2.grad(), 1e-4, 1e-5));
    expectSame(w1, w2);
    if (biased) expectSame(b1, b2);
  }
}

TEST(DirectGradient, OfAnAdapterIsAutogradsWhateverElseIsTrained) {
  const auto x = at::randn({2, 5, 6}), w = at::randn({4, 6}), bias = at::randn({4}), g = at::randn({2, 5, 4});
  const auto a = at::randn({3, 6}), b = at::randn({4, 3});
  for (const bool trained : {false, true})
    for (const bool biased : {false, true}) {
      const auto side = [&](bool collected) {
        return std::array{leaf(x, false), trained ? leaf(w, collected) : w,
                          !biased   ? at::Tensor()
                          : trained ? leaf(bias, collected)
                                    : bias,
                          leaf(a, collected), leaf(b, collected)};
      };
      const auto p = side(true), q = side(false);
      const auto direct = directLora(p[0], p[1], p[2], p[3], p[4], 0.5);
      const auto plain = at::linear(q[0], q[1], q[2]) + at::linear(at::linear(q[0], q[3]), q[4]) * 0.5;
      EXPECT_TRUE(at::allclose(direct, plain, 1e-4, 1e-5));
      direct.backward(g);
      plain.backward(g);
      EXPECT_TRUE(at::allclose(p[0].grad(), q[0].grad(), 1e-4, 1e-5));
      expectSame(p[3], q[3]);
      expectSame(p[4], q[4]);
      if (trained) expectSame(p[1], q[1]);
      if (trained && biased) expectSame(p[2], q[2]);
    }
}

// Ranks send a gradient off as soon as they are told that it is complete.
TEST(DirectGradient, WhoWaitsIsToldOnceAndWhenAllIsThere) {
  struct Note final : torch::autograd::PostAccumulateGradHook {
    explicit Note(std::vector<double>& s) : sums(s) {}
    void operator()(const torch::autograd::Variable& value) override {
      sums.push_back(value.grad().sum().item<double>());
    }
    std::vector<double>& sums;
  };
  std::vector<double> seen;
  Parameter parameter{"weight", leaf(at::ones({3, 2}), true), true};
  const auto x = leaf(at::ones({4, 2}), false);
  torch::autograd::impl::set_post_acc_grad_hooks(parameter.value, std::make_unique<Note>(seen));
  products(x, {{parameter.value, nullptr, {}, true}})[0].sum().backward();
  EXPECT_EQ(seen, (std::vector<double>{6 + 24}));
  // In 16 bits, and used twice, as a tied table is.
  parameter.rounded = parameter.value.detach().to(at::kBFloat16);
  const auto narrow = x.to(at::kBFloat16);
  const auto twice =
      products(narrow, {{parameter.as(at::kBFloat16)}})[0] + at::linear(narrow, parameter.as(at::kBFloat16));
  twice.sum().backward();
  EXPECT_EQ(seen, (std::vector<double>{30, 30 + 48}));
}

TEST(DirectGradient, OfATiedTableHoldsHeadAndLookUp) {
  const auto table = at::randn({11, 4}), ids = at::randint(0, 11, {2, 3}, at::kLong);
  const auto labels = at::randint(0, 11, {2, 3}, at::kLong);
  const auto pass = [&](const at::Tensor& weights, bool direct, bool anew = false) {
    const auto shared = std::make_shared<TableGradient>();
    const auto hidden = lookUp(weights, ids, 0, shared, direct).tanh().reshape({-1, 4});
    const auto rows = labelRows(labels);
    constexpr std::int64_t kOneRow = 4 * 11;  // at a time
    crossEntropy(hidden.index_select(0, rows.positions), weights, rows, 5.0, {}, 0.0, kOneRow, shared, direct, {}, anew)
        .loss.backward();
  };
  const auto direct = leaf(table, true), plain = leaf(table, false);
  pass(direct, true);
  pass(plain, false);
  expectSame(direct, plain);
  direct.mutable_grad().fill_(NAN);
  pass(direct, true, true);
  EXPECT_TRUE(at::allclose(direct.grad(), plain.grad(), 1e-4, 1e-5)) << "written over";
}

}  // namespace
}  // namespace roadtune::engine
