// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/gradient_norms.h"

#include "core/engine/optim/adamw.h"

#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::engine {
namespace {

double normOf(const at::Tensor& tensor) { return at::linalg_vector_norm(tensor.to(at::kDouble)).item<double>(); }

TEST(GradientNorms, EachTowerHasItsOwnAndTogetherTheyAreTheWhole) {
  std::vector<Parameter> parameters;
  for (const char* name :
       {"model.vision_tower.encoder.layers.0.fc1.weight", "model.vision_tower.encoder.layers.0.fc1.lora_A.weight",
        "model.multi_modal_projector.linear.weight", "model.language_model.layers.0.mlp.up_proj.weight"})
    parameters.push_back({name, at::zeros({50})});
  FlatGroup mixed{.members = {&parameters[0], &parameters[1], &parameters[2]},
                  .offsets = {0, 64, 128},
                  .begins = {0, 0, 0},
                  .counts = {50, 50, 50}};
  mixed.values = at::zeros({192});  // padded
  mixed.gradients = at::zeros({192});
  for (const auto offset : {0, 64, 128}) mixed.gradients.narrow(0, offset, 50).copy_(at::randn({50}));
  FlatGroup text{.members = {&parameters[3]}, .offsets = {0}, .begins = {0}, .counts = {50}};
  text.gradients = at::randn({50});
  const AdamW optimizer({mixed, text}, {});
  const auto norms = GradientNorms::ofSquares(optimizer.gradientSquares(at::kCPU).const_data_ptr<double>());
  EXPECT_NEAR(norms.parts[0], normOf(mixed.gradients.narrow(0, 0, 128)), 1e-6);
  EXPECT_NEAR(norms.parts[1], normOf(mixed.gradients.narrow(0, 128, 50)), 1e-6);
  EXPECT_NEAR(norms.parts[2], normOf(text.gradients), 1e-6);
  EXPECT_NEAR(norms.all, std::hypot(normOf(mixed.gradients), normOf(text.gradients)), 1e-6);
}

TEST(GradientNorms, NothingThatTrainsIsZero) {
  const AdamW optimizer({}, {});
  EXPECT_EQ(optimizer.gradientSquares(at::kCPU).sum().item<double>(), 0);
}

TEST(GradientFactor, IsThatOfClippingOrNoNumberWhereAStepIsNotToBeApplied) {
  const auto squares = at::full({3}, 12.0, at::kDouble), loss = at::full({}, 2.0, at::kDouble);  // a norm of 6
  EXPECT_NEAR(gradientFactor(squares, loss, 1.5).item<double>(), 0.25, 1e-6);
  EXPECT_EQ(gradientFactor(squares, loss, 7).item<double>(), 1);
  EXPECT_EQ(gradientFactor(squares, loss, 0).item<double>(), 1) << "no limit";
  EXPECT_EQ(gradientFactor(at::zeros({3}, at::kDouble), loss, 1).item<double>(), 1) << "no gradient";
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    for (const double limit : {0.0, 1.0}) {
      EXPECT_TRUE(std::isnan(gradientFactor(squares, at::full({}, bad, at::kDouble), limit).item<double>())) << bad;
      auto broken = squares.clone();
      broken[1] = bad;
      EXPECT_TRUE(std::isnan(gradientFactor(broken, loss, limit).item<double>())) << bad;
    }
}

}  // namespace
}  // namespace roadtune::engine
