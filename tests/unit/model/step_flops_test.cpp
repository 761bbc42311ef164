// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/step_flops.h"

#include "tests/unit/model/published.h"
#include "tests/unit/model/tiny_config.h"

#include <gtest/gtest.h>

namespace roadtune::model {
namespace {

using testing::full;
using testing::lora;

ModuleTree published(std::size_t index, const Method& method) {
  return buildModuleTree(PaliGemmaConfig::fromText(testing::publishedModels()[index].configJson(), "c").value(), method)
      .value();
}

constexpr StepLoad kOneSample{.samples = 1, .tokens = 300, .targets = 40};

// The tower's, the projector's and the language model's products, and the logits, from the published shapes.
double forwardOf(const ModuleTree& tree) {
  const auto& c = tree.config;
  const auto vision = static_cast<double>(c.imageTokens()) * 2, text = 300.0 * 2;
  double flops = 0;
  for (const auto& tensor : tree.tensors) {
    const auto& module = tree.moduleOf(tensor);
    if (tensor.role != TensorRole::Base || tensor.shape.size() < 2 || module.kind == ModuleKind::PositionTable)
      continue;
    if (module.kind == ModuleKind::Embedding)
      flops += 2.0 * 40 * static_cast<double>(tensor.elements());
    else
      flops += (module.part == Part::Text ? text : vision) * static_cast<double>(tensor.elements());
  }
  return flops;
}

TEST(StepFlops, FullTrainingIsThreeTimesTheForwardPass) {
  const auto tree = published(3, full());
  EXPECT_NEAR(stepFlops(tree, kOneSample), 3 * forwardOf(tree), 1e6);
  EXPECT_NEAR(stepFlops(tree, kOneSample), 4.3e12, 0.3e12) << "PaliGemma 2 3B at 224 px";
}

TEST(StepFlops, GrowsWithTheSamples) {
  const auto tree = published(3, full());
  EXPECT_DOUBLE_EQ(stepFlops(tree, {.samples = 96, .tokens = 96 * 300, .targets = 96 * 40}),
                   96 * stepFlops(tree, kOneSample));
}

TEST(StepFlops, TheLastBlockWorksOnWhatIsAskedForAlone) {
  const auto tree = published(3, full());
  auto asked = kOneSample;
  asked.asked = asked.tokens;
  EXPECT_DOUBLE_EQ(stepFlops(tree, asked), stepFlops(tree, kOneSample)) << "of all";
  asked.asked = 30;
  const double block = 2304.0 * 256 * (8 + 8) + 3.0 * 2304 * 9216;  // but keys and values
  EXPECT_NEAR(stepFlops(tree, kOneSample) - stepFlops(tree, asked), 3 * 2 * block * (300 - 30), 1e6);
}

TEST(StepFlops, WhatLiesBelowTheLowestTrainedModuleIsPassedOnce) {
  const auto adapted = published(3, lora({"q_proj"}));
  const auto whole = stepFlops(published(3, full()), kOneSample), part = stepFlops(adapted, kOneSample);
  EXPECT_LT(part, 0.72 * whole) << "no gradients of frozen weights";
  EXPECT_GT(part, 0.6 * whole) << "but of what lies above the adapters, in both towers";
  Method text = lora({"q_proj"});
  text.exclude.pattern = ".*vision_tower.*";
  EXPECT_LT(stepFlops(published(3, text), kOneSample), part) << "the tower is passed forward only";
}

TEST(StepFlops, KeptFeaturesCostNothing) {
  const auto tree = published(3, lora({"q_proj"}));
  StepLoad kept = kOneSample;
  kept.visionKept = true;
  const auto tower = 2.0 * tree.config.imageTokens() * 412e6;
  EXPECT_NEAR(stepFlops(tree, kOneSample) - stepFlops(tree, kept), 2 * tower, 0.2 * tower);
}

}  // namespace
}  // namespace roadtune::model
