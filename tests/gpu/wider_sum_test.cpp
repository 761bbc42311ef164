// SPDX-License-Identifier: GPL-3.0-or-later
// Products of 16-bit factors that add to a sum in float32, which is nowhere rounded to 16 bits.
#include "core/engine/nn/device.h"
#include "core/engine/nn/direct_gradient.h"
#include "core/engine/nn/ops.h"

#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <limits>

namespace roadtune::engine {
namespace {

TEST(WiderSumOnDevice, TakesProductsWithoutRoundingThem) {
  const auto device = openDevice("cuda:0");
  if (!device.ok()) GTEST_SKIP() << device.error().text();
  const auto narrow = at::TensorOptions().dtype(at::kBFloat16);
  const auto y = at::randn({300, 72}, narrow), x = at::randn({300, 136}, narrow);
  const auto start = at::randn({72, 136}, at::kFloat);
  const auto expected = start.to(at::kDouble) + y.to(at::kDouble).t().mm(x.to(at::kDouble)) * 0.5;
  auto sum = start.to(device.value());
  const auto* place = sum.data_ptr();
  addProduct(sum, y.to(device.value()), x.to(device.value()), 0.5);
  EXPECT_EQ(sum.data_ptr(), place);
  // A product in 16 bits would be off by up to 2^-9 of its size, of which the largest are near 60.
  EXPECT_LT((sum.to(at::kCPU).to(at::kDouble) - expected).abs().max().item<double>(), 1e-3);
}

TEST(WiderSumOnDevice, TheFirstProductReadsNothingOfWhatLayThere) {
  const auto device = openDevice("cuda:0");
  if (!device.ok()) GTEST_SKIP() << device.error().text();
  const auto y = at::randn({4400, 72}, at::kBFloat16), x = at::randn({4400, 136}, at::kBFloat16);
  const auto expected = y.to(at::kDouble).t().mm(x.to(at::kDouble));
  const auto apart = [&](at::ScalarType type) {
    auto sum = at::full({72, 136}, std::numeric_limits<float>::quiet_NaN(), at::TensorOptions().dtype(type))
                   .to(device.value());
    setProduct(sum, y.to(device.value()), x.to(device.value()));
    return (sum.to(at::kCPU).to(at::kDouble) - expected).abs() - expected.abs() / 256;  // 2^-8: half a step of 16 bits
  };
  EXPECT_LT((apart(at::kFloat) + expected.abs() / 256).max().item<double>(), 1e-2);
  // Rounded once, at the end: parts of the sum in 16 bits would be off by their own size.
  EXPECT_LT(apart(at::kBFloat16).max().item<double>(), 1e-2);
}

}  // namespace
}  // namespace roadtune::engine
