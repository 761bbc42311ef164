// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/neftune.h"

#include "core/engine/nn/ops.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace roadtune::engine {
namespace {

ForwardContext noisy(std::uint64_t seed) {
  ForwardContext context;
  context.neftuneAlpha = 5;
  context.dropoutSeed = seed;
  return context;
}

// Checkpoints of runs with noise go on as they began: the numbers are fixed.
TEST(Neftune, OnTheCpuTheSeedDecidesTheVeryNumbers) {
  const auto noise = neftuneNoise(2, 3, at::zeros({2, 3, 4}), noisy(42));
  ASSERT_EQ(noise.sizes(), at::IntArrayRef({2, 3, 4}));
  constexpr std::array kFirst{-0.36877039f, 0.48268867f, 1.34837377f, -1.04046774f, 1.39757693f, -0.00178120437f};
  for (std::size_t i = 0; i < kFirst.size(); ++i)
    EXPECT_FLOAT_EQ(noise.flatten()[static_cast<std::int64_t>(i)].item<float>(), kFirst[i]) << i;
  EXPECT_LE(noise.abs().max().item<double>(), 5 / std::sqrt(3.0 * 4.0));
  EXPECT_FALSE(noise.equal(neftuneNoise(2, 3, at::zeros({2, 3, 4}), noisy(43))));
}

TEST(Neftune, ComesInTheTypeOfTheEmbeddings) {
  const auto wide = neftuneNoise(2, 3, at::zeros({6, 4}), noisy(42));
  const auto narrow = neftuneNoise(2, 3, at::zeros({6, 4}).to(at::kBFloat16), noisy(42));
  EXPECT_EQ(narrow.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(narrow.equal(wide.to(at::kBFloat16)));
}

}  // namespace
}  // namespace roadtune::engine
