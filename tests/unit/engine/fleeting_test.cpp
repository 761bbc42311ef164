// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients that have memory from the product that makes them until the next step begins.
#include "core/engine/nn/linear.h"
#include "core/engine/nn/ops.h"
#include "core/engine/optim/adamw.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <deque>

namespace roadtune::engine {
namespace {

std::size_t memoryOf(const at::Tensor& tensor) { return tensor.storage().nbytes(); }

// Members of 300 and 700 values in blocks of their own, as moments in bytes want them.
struct Pair {
  std::deque<Parameter> parameters;
  FlatGroup group;

  Pair(bool fleeting, bool halves, bool inBytes) {
    parameters.push_back({"model.vision_tower.a.weight"});
    parameters.push_back({"model.language_model.b.weight"});
    const std::vector<std::int64_t> counts{300, 700}, offsets{0, 512};
    group = {.learningRate = 1e-2, .weightDecay = 0.1, .begins = {0, 0}};
    group.offsets = offsets;
    group.counts = counts;
    group.values = at::zeros({1280}, at::kBFloat16);
    if (halves) group.remainders = at::zeros({1280}, at::kShort);
    group.firstMoment = Moment::zeros(1280, inBytes, true, at::kCPU);
    group.secondMoment = Moment::zeros(1280, inBytes, false, at::kCPU);
    group.fleeting = fleeting;
    if (!fleeting) group.gradients = at::zeros({1280}, at::kBFloat16);
    for (std::size_t i = 0; i < 2; ++i) {
      auto& parameter = parameters[i];
      group.members.push_back(&parameter);
      group.setValues(offsets[i], at::linspace(-1, 2, counts[i]));
      parameter.value = group.slice(group.values, i).requires_grad_(true);
      parameter.fleeting = fleeting;
      parameter.value.mutable_grad() = fleeting ? at::empty({}) : group.slice(group.gradients, i);
    }
    group.restartGradients();
    for (auto& parameter : parameters) parameter.renewGradient();
  }
};

TEST(FleetingGradient, ComesWithItsProductAndGoesWhenTheNextStepBegins) {
  Parameter weight{"weight", at::randn({4, 6}).to(at::kBFloat16), true},
      unused{"unused", at::randn({4, 6}).to(at::kBFloat16), true},
      table{"table", at::randn({10}).to(at::kBFloat16), true};
  const Linear linear("layer", &weight, nullptr), idle("idle", &unused, nullptr);
  FlatGroup group{
      .members = {&weight, &table, &unused}, .offsets = {0, 24, 34}, .begins = {0, 0, 0}, .counts = {24, 10, 24}};
  group.values = at::zeros({58}, at::kBFloat16);
  group.fleeting = true;
  for (auto* member : group.members) {
    member->value.requires_grad_(true);
    member->fleeting = true;
  }
  ForwardContext context;
  context.type = at::kBFloat16;
  for (int step = 0; step < 2; ++step) {
    group.restartGradients();
    EXPECT_LE(memoryOf(weight.value.grad()), 2u);
    EXPECT_ANY_THROW(weight.value.mutable_grad().add_(1)) << "nothing is added to what is not there";
    EXPECT_EQ(weight.value.grad().sizes(), weight.value.sizes());
    EXPECT_EQ(table.value.grad().abs().max().item<float>(), 0) << "no product makes it: it is there";
    const auto plain = weight.value.detach().clone().requires_grad_(true);
    for (int pass = 0; pass < 2; ++pass) {
      const auto x = at::randn({3, 6}).to(at::kBFloat16), g = at::randn({3, 4}).to(at::kBFloat16);
      linear.base(x, context).backward(g);
      at::linear(x, plain).backward(g);
    }
    EXPECT_TRUE(at::allclose(weight.value.grad(), plain.grad(), 2e-2, 2e-2));
    EXPECT_LE(memoryOf(unused.value.grad()), 2u);
    group.finishGradients();
    EXPECT_EQ(unused.value.grad().abs().max().item<float>(), 0);
    EXPECT_TRUE(group.gradient(0).is_same(weight.value.grad()));
  }
}

// Step by step the same as with gradients in one buffer, in whatever way weights and moments are kept.
TEST(FleetingGradient, MovesWeightsAsOneInABufferDoes) {
  for (const bool halves : {true, false})
    for (const bool inBytes : {true, false}) {
      Pair one(true, halves, inBytes), other(false, halves, inBytes);
      AdamW fleeting({one.group}, {.eightBit = inBytes}), lasting({other.group}, {.eightBit = inBytes});
      for (int step = 0; step < 3; ++step) {
        for (std::size_t i = 0; i < 2; ++i) {
          const auto gradient = at::randn({one.group.counts[i]}).to(at::kBFloat16);
          one.parameters[i].value.mutable_grad().copy_(gradient);
          other.parameters[i].value.mutable_grad().copy_(gradient);
        }
        EXPECT_TRUE(at::allclose(fleeting.gradientSquares(at::kCPU), lasting.gradientSquares(at::kCPU), 1e-12));
        for (auto* optimizer : {&fleeting, &lasting}) optimizer->step(0.5, at::full({}, 0.25));
      }
      const auto apart = one.group.exact(0, 1280).to(at::kFloat) - other.group.exact(0, 1280).to(at::kFloat);
      // Torch's own, which moves float32 moments on the CPU, rounds at the end of a stretch as its compiler likes.
      EXPECT_LE(apart.abs().max().item<float>(), halves && !inBytes ? 1e-6f : 0.0f) << halves << inBytes;
      EXPECT_GT((one.group.exact(0, 300).to(at::kFloat) - at::linspace(-1, 2, 300)).abs().mean().item<float>(), 1e-3f);
    }
}

}  // namespace
}  // namespace roadtune::engine
