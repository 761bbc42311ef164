// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that are computed again give the loss and the gradients of blocks that keep everything, to the bit, and make
// their last product once.
#include "core/engine/nn/recompute.h"

#include "core/engine/cuda/host_kernels.h"
#include "core/engine/cuda/kernels.h"
#include "core/engine/loader/pack.h"
#include "tests/unit/engine/uneven_passes.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tanh.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <cstring>

namespace roadtune::engine {
namespace {

TEST(Recompute, GradientsAreThoseOfThePlainBlockEvenBelowAFrozenInput) {
  auto weight = at::randn({3, 3}).requires_grad_(true);
  const auto x = at::randn({2, 3});
  ForwardContext context;
  const auto block = [&](const at::Tensor& in, const ForwardContext&) { return at::tanh(at::linear(in, weight)); };
  block(x, context).sum().backward();
  const auto expected = weight.grad().clone();
  weight.mutable_grad() = at::Tensor();
  context.recomputedUnits = kAllUnits;
  recomputed(x, context, true, 1, block).sum().backward();
  EXPECT_TRUE(weight.grad().equal(expected));
}

constexpr std::size_t kVisionBlocks = 3, kTextBlocks = 4;

model::Method allOfIt() {
  model::Method method;
  method.type = model::FinetuningType::Full;
  return method;
}

model::Method inFourBits() {
  auto method = withAdapters(0.0);
  method.load4bit = true;
  return method;
}

model::Method inParts() {
  auto method = withAdapters(0.0);
  method.dora = true;
  return method;
}

std::int64_t linearCalls = 0;

std::unique_ptr<at::ObserverContext> countLinear(const at::RecordFunction& function) {
  if (std::strcmp(function.name(), "aten::linear") == 0) ++linearCalls;
  return nullptr;
}

std::int64_t linearsOf(const ModelState& model, const Batch& batch, const ForwardContext& context) {
  linearCalls = 0;
  const auto handle = at::addGlobalCallback(at::RecordFunctionCallback(countLinear));
  passOver(model, batch, context, true);
  at::removeCallback(handle);
  return linearCalls;
}

class Recomputed : public ::testing::TestWithParam<std::tuple<model::Family, bool>> {
 protected:
  void SetUp() override {
    if (std::get<1>(GetParam())) cuda::useOnHost(&cuda::hostKernels());
  }
  void TearDown() override { cuda::useOnHost(nullptr); }
};

TEST_P(Recomputed, AnyNumberOfBlocksGivesTheSameBits) {
  for (const auto& method : {allOfIt(), withAdapters(0.3), inFourBits(), inParts()}) {
    const auto model = unevenModel(std::get<0>(GetParam()), method);
    auto batch = unevenBatch(*model);
    packTokens(batch);
    askForLabels(batch);
    using Units = std::vector<std::size_t>;
    for (const auto& [type, counts] :
         {std::pair(at::kFloat, Units{2, kAllUnits}),
          std::pair(at::kBFloat16, Units{kVisionBlocks + 2, kVisionBlocks + kTextBlocks})}) {
      auto context = seeded();
      context.type = type;
      context.adaptersInComputeType = true;
      const auto kept = passOver(*model, batch, context, false);
      for (const std::size_t units : counts) {
        context.recomputedUnits = units;
        const auto again = passOver(*model, batch, context, false);
        EXPECT_EQ(again.loss, kept.loss);
        ASSERT_EQ(again.gradients.size(), kept.gradients.size());
        for (const auto& [name, gradient] : kept.gradients)
          EXPECT_TRUE(at::equal(again.gradients.at(name), gradient)) << name << ", " << units << " blocks, " << type;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Recomputed,
                         ::testing::Combine(::testing::Values(model::Family::PaliGemma1, model::Family::PaliGemma2),
                                            ::testing::Bool()));

TEST(Recompute, TheLastProductOfABlockIsMadeOnce) {
  for (const auto family : {model::Family::PaliGemma1, model::Family::PaliGemma2}) {
    const auto model = unevenModel(family, allOfIt());
    const auto batch = unevenBatch(*model);
    auto context = seeded();
    const auto kept = linearsOf(*model, batch, context);
    context.recomputedUnits = kVisionBlocks;
    EXPECT_EQ(linearsOf(*model, batch, context) - kept, static_cast<std::int64_t>(kVisionBlocks) * 5);
    context.recomputedUnits = kVisionBlocks + kTextBlocks;
    EXPECT_EQ(linearsOf(*model, batch, context) - kept, static_cast<std::int64_t>(kVisionBlocks * 5 + kTextBlocks * 6));
    context.recomputedUnits = kAllUnits;  // in the least memory
    const auto keepsNothing = family == model::Family::PaliGemma2;
    EXPECT_EQ(linearsOf(*model, batch, context) - kept,
              static_cast<std::int64_t>(kVisionBlocks * 5 + kTextBlocks * (keepsNothing ? 7 : 6)));
  }
}

}  // namespace
}  // namespace roadtune::engine
