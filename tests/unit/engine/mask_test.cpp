// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/mask.h"

#include "core/engine/attention/rope.h"
#include "core/engine/nn/ops.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roadtune::engine {
namespace {

at::Tensor ids(const std::vector<std::int64_t>& values) {
  auto tensor = at::empty({1, static_cast<std::int64_t>(values.size())}, at::TensorOptions().dtype(at::kLong));
  std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
  return tensor;
}

// Rows of '1' where a query may look and '0' where it may not.
std::vector<std::string> rows(const at::Tensor& mask) {
  std::vector<std::string> result;
  for (std::int64_t q = 0; q < mask.size(2); ++q) {
    auto& row = result.emplace_back();
    for (std::int64_t k = 0; k < mask.size(3); ++k) row += mask[0][0][q][k].item<float>() == 0.0f ? '1' : '0';
  }
  return result;
}

const auto kPadded = ids({0, 1, 1, 1, 1, 1, 1, 1});
const auto kTypes = ids({0, 0, 0, 0, 0, 1, 1, 1});

TEST(PrefixMask, PrefixSeesItselfAndTheSuffixLooksBack) {
  const auto masks = prefixMasks(kPadded, kTypes, 0, {}, at::kFloat);
  EXPECT_EQ(rows(masks.full), (std::vector<std::string>{"01111000", "01111000", "01111000", "01111000", "01111000",
                                                        "01111100", "01111110", "01111111"}));
}

TEST(PrefixMask, WithoutTokenTypesItIsCausal) {
  const auto masks = prefixMasks(ids({1, 1, 1}), {}, 0, {}, at::kFloat);
  EXPECT_EQ(rows(masks.full), (std::vector<std::string>{"100", "110", "111"}));
}

TEST(PrefixMask, WindowSparesThePrefixByDefault) {
  const auto masks = prefixMasks(kPadded, kTypes, 2, {}, at::kFloat);
  EXPECT_EQ(rows(masks.sliding), (std::vector<std::string>{"01111000", "01111000", "01111000", "01111000", "01111000",
                                                           "00001100", "00000110", "00000011"}));
}

TEST(PrefixMask, OlderReleasesCutThePrefixToo) {
  const auto numerics = model::numericsOf("hf-4.51-eager");
  const auto masks = prefixMasks(kPadded, kTypes, 2, numerics.value(), at::kFloat);
  EXPECT_EQ(rows(masks.sliding)[4], "00011000");
  EXPECT_EQ(rows(masks.sliding)[1], "01111000");
}

TEST(Rope, FrequenciesAreTheReferences) {
  const auto table = ropeTable(1, 1, 256, 10000.0, at::TensorOptions().dtype(at::kDouble));
  EXPECT_NEAR(table.cos[0][0].item<double>(), std::cos(1.0), 1e-7);
  EXPECT_NEAR(table.sin[0][1].item<double>(), std::sin(0.93057203), 1e-6);
  EXPECT_NEAR(table.sin[0][127].item<double>(), 1.0746079e-4, 1e-10);
  EXPECT_EQ(table.sin[0][127].item<double>(), table.sin[0][255].item<double>());
}

}  // namespace
}  // namespace roadtune::engine
