// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that share their input, beside the same layers one by one.
#include "core/engine/lora/together.h"

#include "core/engine/lora/adapter.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <functional>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kIn = 12;

// Three layers of different heights, two or three with adapters of different ranks.
struct Trio {
  ParameterSet parameters;
  std::vector<std::unique_ptr<Linear>> layers;

  Linear& add(std::int64_t out, bool biased, bool trained) {
    const auto path = "layer" + std::to_string(layers.size());
    auto* weight = &parameters.add({path + ".weight", at::randn({out, kIn}), trained});
    auto* bias = biased ? &parameters.add({path + ".bias", at::randn({out}), true}) : nullptr;
    return *layers.emplace_back(std::make_unique<Linear>(path, weight, bias));
  }

  LoraAdapter& adapt(Linear& layer, std::int64_t rank, double scale) {
    auto adapter = std::make_shared<LoraAdapter>();
    adapter->a = &parameters.add({layer.path() + ".a", at::randn({rank, kIn}), true});
    adapter->b = &parameters.add({layer.path() + ".b", at::randn({layer.weight()->value.size(0), rank}), true});
    adapter->scale = scale;
    adapter->moduleSeed = layers.size();
    layer.attach(adapter);
    return *layer.adapter();
  }

  std::vector<at::Tensor> gradients() {
    std::vector<at::Tensor> result;
    for (const auto& parameter : parameters.all()) {
      const auto& gradient = parameter->value.grad();
      result.push_back(gradient.defined() ? gradient.clone() : at::Tensor());
    }
    return result;
  }

  // As if an earlier pass had collected ones; or as if there had been none.
  void restart(bool collected) {
    for (const auto* parameter : parameters.trainable()) {
      at::Tensor value = parameter->value;
      value.mutable_grad() = collected ? at::ones(value.sizes()) : at::Tensor();
    }
  }
};

using Forward = std::function<std::vector<at::Tensor>(const Linear*, const Linear*, const Linear*, const at::Tensor&)>;

std::vector<at::Tensor> passOf(Trio& trio, const at::Tensor& x, bool collected, const Forward& forward) {
  trio.restart(collected);
  const auto input = x.detach().clone().requires_grad_(true);
  auto outputs = forward(trio.layers[0].get(), trio.layers[1].get(), trio.layers[2].get(), input);
  auto sum = at::zeros({});
  for (const auto& y : outputs) sum = sum + (y.to(at::kFloat).cos() * 3).sum();
  sum.backward();
  for (auto& gradient : trio.gradients()) outputs.push_back(gradient);
  outputs.push_back(input.grad());
  return outputs;
}

void expectAlike(Trio& trio, const ForwardContext& context, bool collected, double tolerance) {
  const auto x = at::randn({2, 5, kIn}).to(context.type);
  const auto together = passOf(trio, x, collected, [&](auto* a, auto* b, auto* c, const auto& in) {
    return forwardTogether({a, b, c}, in, context);
  });
  const auto apart = passOf(trio, x, collected, [&](auto* a, auto* b, auto* c, const auto& in) {
    return std::vector{a->forward(in, context), b->forward(in, context), c->forward(in, context)};
  });
  ASSERT_EQ(together.size(), apart.size());
  for (std::size_t i = 0; i < apart.size(); ++i) {
    ASSERT_EQ(together[i].defined(), apart[i].defined()) << i;
    if (!apart[i].defined()) continue;
    EXPECT_EQ(together[i].scalar_type(), apart[i].scalar_type());
    const double largest = apart[i].abs().max().item<double>();
    EXPECT_LE((together[i] - apart[i]).abs().max().item<double>(), tolerance * std::max(1.0, largest)) << i;
  }
}

TEST(Together, OutputsAndGradientsAreThoseOfTheSingleLayers) {
  for (const bool collected : {false, true})  // by autograd, and added where they are collected
    for (const bool trained : {false, true})
      for (const int adapted : {0, 1, 2, 3}) {
        Trio trio;
        std::int64_t out = 7;
        for (int i = 0; i < 3; ++i) {
          auto& layer = trio.add(out += 2, i == 1, trained);
          if (i < adapted) trio.adapt(layer, 1 + 2 * i, i == 0 ? 1.0 : 0.5 * i);
        }
        if (adapted == 0 && !trained) continue;  // nothing to learn
        expectAlike(trio, {}, collected, 2e-5);
      }
}

TEST(Together, InBfloat16WithAdaptersOfEitherType) {
  for (const bool narrow : {false, true}) {
    Trio trio;
    for (int i = 0; i < 3; ++i) trio.adapt(trio.add(8, false, false), 4, 2.0);
    ForwardContext context;
    context.type = at::kBFloat16;
    context.adaptersInComputeType = narrow;
    expectAlike(trio, context, false, 3e-2);
  }
}

// One layer computes in the other type than the model; its weight may train, and be kept in that type when it does not.
TEST(Together, ALayerMayComputeInATypeOfItsOwn) {
  for (const auto whole : {at::kFloat, at::kBFloat16})
    for (const bool trained : {false, true})
      for (const bool adapted : {false, true}) {
        const auto own = whole == at::kFloat ? at::kBFloat16 : at::kFloat;
        ForwardContext context;
        context.type = whole;
        context.adaptersInComputeType = true;
        Trio trio;
        for (int i = 0; i < 3; ++i) {
          auto& layer = trio.add(6, i == 1, trained);
          if (adapted) trio.adapt(layer, 2, 0.5);
        }
        if (!adapted && !trained) continue;
        auto& odd = *trio.layers[1];
        odd.computeIn(own);
        if (!trained) odd.weight()->value = odd.weight()->value.to(own);
        for (const bool collected : {false, true}) expectAlike(trio, context, collected, 3e-2);
        const auto x = at::randn({3, kIn}).to(whole);
        const auto y = odd.base(x, context);
        EXPECT_EQ(y.scalar_type(), whole);
        const auto product = at::linear(x.to(own), odd.weight()->as(own), odd.bias()->as(own)).to(whole);
        EXPECT_TRUE(at::equal(y, product));
      }
}

TEST(Together, MagnitudesAndBiasesOfAdaptersStay) {
  Trio trio;
  for (int i = 0; i < 3; ++i) {
    auto& layer = trio.add(6, i == 2, false);
    auto& adapter = trio.adapt(layer, 2, 0.5);
    if (i == 0) adapter.magnitude = &trio.parameters.add({"m", at::randn({6}).abs() + 1, true});
    if (i == 1) adapter.bBias = &trio.parameters.add({"bb", at::randn({6}), true});
  }
  expectAlike(trio, {}, true, 2e-5);
}

TEST(Together, EveryDropoutDrawsItsOwn) {
  Trio trio;
  for (int i = 0; i < 3; ++i) trio.adapt(trio.add(6, false, false), 2, 0.5).dropout = i == 1 ? 0.0 : 0.4;
  ForwardContext context;
  context.training = true;
  context.dropoutSeed = 5;
  expectAlike(trio, context, false, 2e-5);
  const auto x = at::ones({3, kIn});
  const auto ys = forwardTogether({trio.layers[0].get(), trio.layers[0].get(), trio.layers[2].get()}, x, context);
  EXPECT_TRUE(at::equal(ys[0], ys[1]));
  context.training = false;
  expectAlike(trio, context, false, 2e-5);
}

}  // namespace
}  // namespace roadtune::engine
