// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/frozen_section.h"
#include "core/engine/dist/passing_tensor.h"
#include "core/engine/dist/trained_section.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/tensor_memory.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <gtest/gtest.h>

namespace roadtune::engine {
namespace {

Parameter parameterOf(const char* name, const at::Tensor& value) {
  Parameter parameter{name, value.clone(), true};
  parameter.value.requires_grad_(true);
  return parameter;
}

TEST(PassingTensor, ViewsSeeTheMemoryThatCameLast) {
  PassingTensor passing(8, at::kFloat, at::kCPU);
  const auto view = passing.view(2, 4).view({2, 2}).detach();
  passing.release();
  EXPECT_FALSE(passing.present());
  passing.allocate();
  passing.raw().copy_(at::arange(8, at::kFloat));
  EXPECT_TRUE(view.equal(at::arange(2, 6, at::kFloat).view({2, 2})));
}

TEST(PassingTensor, HoldsNoMemoryWhileItIsReleased) {
  countTensorMemory();
  PassingTensor passing(1 << 20, at::kFloat, at::kCPU);
  const auto before = tensorMemory().now;
  passing.release();
  EXPECT_LE(tensorMemory().now, before - (4 << 20));
  passing.allocate();
  EXPECT_GE(tensorMemory().now, 4 << 20);
}

TEST(PassingTensor, WhatAutogradKeptIsReadAgainInTheBackwardPass) {
  PassingTensor passing(4, at::kFloat, at::kCPU);
  const auto weight = passing.view(0, 4).view({2, 2}).detach().requires_grad_(true);
  passing.raw().copy_(at::arange(4, at::kFloat));
  const auto x = at::ones({1, 2}).requires_grad_(true);
  const auto y = at::linear(x, weight).sum();
  passing.release();
  passing.allocate();
  passing.raw().copy_(at::arange(4, at::kFloat));
  y.backward();
  EXPECT_TRUE(x.grad().equal(at::arange(2, 6, 2, at::kFloat).view({1, 2})));
}

TEST(TrainedSection, ComesBackAsItWasAndCollectsGradients) {
  const auto alone = Communicator::alone();
  const auto first = at::rand({3, 5}), second = at::rand({7});
  auto a = parameterOf("a", first), b = parameterOf("b", second);
  TrainedSection section({{&a, {1e-3, true}}, {&b, {1e-3, false}}}, at::kFloat, *alone);
  section.startGather()->wait();
  EXPECT_TRUE(a.value.equal(first));
  EXPECT_TRUE(b.value.equal(second));
  section.openGradients();
  ((a.value * 2).sum() + b.value.sum()).backward();
  section.startReduce();
  section.finishReduce();
  const auto groups = section.groups(0.1);
  ASSERT_EQ(groups.size(), 2u);  // with decay and without
  for (const auto& group : groups) {
    const bool decays = group.weightDecay > 0;
    EXPECT_TRUE(group.gradients.equal(at::full({decays ? 15 : 7}, decays ? 2.f : 1.f)));
  }
}

TEST(TrainedSection, SendsNarrowWeightsButKeepsExactOnes) {
  const auto alone = Communicator::alone();
  const auto exact = at::rand({4, 4});
  auto a = parameterOf("a", exact);
  TrainedSection section({{&a, {1e-3, true}}}, at::kBFloat16, *alone);
  section.startGather()->wait();
  EXPECT_TRUE(a.value.equal(exact.to(at::kBFloat16)));
  at::Tensor collected;
  section.collect(TrainedValues::Weights,
                  [&](const Parameter&, const at::Tensor& value) { collected = value.clone(); });
  EXPECT_TRUE(collected.equal(exact));
}

TEST(FrozenSection, KeepsTypesAndBits) {
  const auto alone = Communicator::alone();
  auto wide = at::rand({3, 3}), packed = at::randint(255, {33, 1}, at::kByte);
  auto narrow = at::rand({5}).to(at::kBFloat16);
  const auto was = std::vector<at::Tensor>{wide.clone(), packed.clone(), narrow.clone()};
  FrozenSection section({&wide, &packed, &narrow}, *alone);
  section.startGather()->wait();
  EXPECT_TRUE(wide.equal(was[0]));
  EXPECT_TRUE(packed.equal(was[1]));
  EXPECT_TRUE(narrow.equal(was[2]));
}

}  // namespace
}  // namespace roadtune::engine
