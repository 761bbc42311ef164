// SPDX-License-Identifier: GPL-3.0-or-later
// Loss rows, AdamW and NF4 against the engine's own references.
#include "core/engine/cuda/fused_loss.h"
#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/products.h"
#include "core/engine/optim/halves.h"
#include "core/engine/quant/nf4_codec.h"
#include "core/engine/quant/nf4_device.h"
#include "tests/gpu/kernel_case.h"

#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/logspace.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadtune::engine {
namespace {

class Update : public KernelTest {
 protected:
  // Of gradients, where kernels read it.
  at::Tensor factor(double value) const { return here(at::full({}, value, at::kFloat)); }
};

TEST_P(Update, CrossEntropyOfRowsAndItsGradient) {
  for (const std::int64_t vocabulary : {40, 37, 8200})  // the last: more packs than threads
    for (const double cap : {0.0, 3.0})
      for (const double smoothing : {0.0, 0.1}) {
        const auto raw = (at::randn({6, vocabulary}) * 4).to(type());
        const auto targets = at::randint(vocabulary, {6}, at::TensorOptions().dtype(at::kLong));
        auto logits = here(raw).clone();
        const auto weights = here(at::full({6}, 1.0 / 6, at::TensorOptions().dtype(at::kFloat)));
        const auto loss = cuda::rowsCrossEntropy(kernels(), logits, here(targets), weights, cap, smoothing, true);
        const auto plain = raw.to(at::kDouble).requires_grad_(true);
        const auto bent = cap > 0 ? at::tanh(plain / cap) * cap : plain;
        const auto expected = at::cross_entropy_loss(bent, targets, {}, 1, -100, smoothing);
        expected.backward();
        EXPECT_NEAR(loss.mean().item<double>(), expected.item<double>(), 1e-4);
        expectNear(logits, plain.grad(), "gradient", tolerance());
        auto untouched = here(raw).clone();
        cuda::rowsCrossEntropy(kernels(), untouched, here(targets), weights, cap, smoothing, false);
        EXPECT_TRUE(untouched.to(at::kCPU).equal(raw));
      }
}

struct Buffers {
  at::Tensor values, gradients, first, second;
};

Buffers buffersOn(const at::Device& device, const at::Tensor& start) {
  return {start.to(device, at::kFloat, false, true), at::Tensor(), at::zeros_like(start).to(device),
          at::zeros_like(start).to(device)};
}

TEST_P(Update, AdamWIsTorchsWithClippingOnTheWay) {
  const auto start = at::randn({1001});
  auto ours = buffersOn(device(), start), plain = buffersOn(at::kCPU, start);
  auto copy = here(at::zeros({1001}, at::TensorOptions().dtype(at::kBFloat16)));
  for (std::int64_t step = 1; step <= 4; ++step) {
    const auto gradient = at::randn({1001});
    ours.gradients = here(gradient);
    plain.gradients = gradient * 0.5;
    cuda::adamW(kernels(), ours.values, ours.gradients, {ours.first}, {ours.second}, copy,
                {1e-2, 0.9, 0.99, 1e-8, 0.1, factor(0.5), step});
    at::_fused_adamw_({plain.values}, {plain.gradients}, {plain.first}, {plain.second}, {},
                      {at::full({}, static_cast<double>(step), at::TensorOptions().dtype(at::kFloat))}, 1e-2, 0.9, 0.99,
                      0.1, 1e-8, false, false);
  }
  expectNear(ours.values, plain.values, "values", 1e-5);
  expectNear(ours.first, plain.first, "first moment", 1e-5);
  expectNear(ours.second, plain.second, "second moment", 1e-5);
  EXPECT_TRUE(copy.to(at::kCPU).equal(ours.values.to(at::kCPU).to(at::kBFloat16)));
}

// Values move by the exact moments, which are packed after that: each byte is the nearest one, or its neighbour where
// arithmetic of another order decides, and scales are the largest of their blocks.
TEST_P(Update, AdamWInBytesPacksWhatItComputed) {
  constexpr std::int64_t kCount = 3 * 256 + 77;  // a short last block
  const auto start = at::randn({kCount});
  auto values = here(start.clone());
  auto copy = here(at::zeros({kCount}, at::TensorOptions().dtype(at::kBFloat16)));
  auto first = Moment::zeros(kCount, true, true, device()), second = Moment::zeros(kCount, true, false, device());
  auto plain = start.to(at::kDouble);
  const auto meaning = [](const Moment& moment, bool withSign) {
    return momentFromBytes(moment.values.to(at::kCPU), moment.scales.to(at::kCPU), 0, withSign).to(at::kDouble);
  };
  for (std::int64_t step = 1; step <= 4; ++step) {
    auto gradient = at::randn({kCount}) * at::logspace(-6, 0, kCount);
    gradient.narrow(0, 256, 256).zero_();  // a block without any
    const auto g = gradient.to(at::kDouble) * 0.5;
    const auto m = meaning(first, true) * 0.9 + 0.1 * g, v = meaning(second, false) * 0.99 + 0.01 * g * g;
    plain = plain * (1 - 1e-2 * 0.1) -
            1e-2 / (1 - std::pow(0.9, step)) * m / (v.sqrt() / std::sqrt(1 - std::pow(0.99, step)) + 1e-8);
    cuda::adamW(kernels(), values, here(gradient), first, second, copy,
                {1e-2, 0.9, 0.99, 1e-8, 0.1, factor(0.5), step});
    expectNear(values, plain, "values", 1e-5);
    const auto expectPacked = [&](const Moment& moment, const at::Tensor& exact, bool withSign) {
      auto expected = Moment::zeros(kCount, true, withSign, at::kCPU);
      expected.set(exact.to(at::kFloat));
      EXPECT_TRUE(at::allclose(moment.scales.to(at::kCPU), expected.scales, 1e-5));
      const auto apart = (moment.values.to(at::kCPU, at::kInt) - expected.values.to(at::kInt)).abs();
      EXPECT_LE(apart.max().item<int>(), 1);
      EXPECT_LE(apart.sum().item<std::int64_t>(), kCount / 100);
    };
    expectPacked(first, m, true);
    expectPacked(second, v, false);
    plain = values.to(at::kCPU, at::kDouble);
  }
  EXPECT_TRUE(copy.to(at::kCPU).equal(values.to(at::kCPU).to(at::kBFloat16)));
}

// Values in 16 bits become one of the two neighbours of what float64 says, whichever way moments are kept.
TEST_P(Update, AdamWOfNarrowValuesRoundsToANeighbour) {
  constexpr std::int64_t kCount = 3 * 256 + 77;
  for (const bool inBytes : {false, true}) {
    const auto start = at::randn({kCount}).to(at::kBFloat16);
    auto values = here(start.clone());
    const auto first = Moment::zeros(kCount, inBytes, true, device()),
               second = Moment::zeros(kCount, inBytes, false, device());
    const auto gradient = at::randn({kCount}).to(at::kBFloat16);
    cuda::adamW(kernels(), values, here(gradient), first, second, {}, {1e-2, 0.9, 0.99, 1e-8, 0.1, factor(0.5), 1});
    const auto g = gradient.to(at::kDouble) * 0.5;
    const auto exact = start.to(at::kDouble) * (1 - 1e-3) - 1e-2 * g / (g.abs() + 1e-8);
    const auto apart = (values.to(at::kCPU, at::kDouble) - exact).abs();
    const auto step = at::exp2(exact.abs().log2().floor()) / 128;  // between neighbours in 16 bits
    EXPECT_LE((apart / step).max().item<double>(), 1.001);
    EXPECT_GT((apart / step).max().item<double>(), 0.6) << "not to the nearest";
  }
}

TEST_P(Update, HalvesAreThoseOfTheCpu) {
  if (device().is_cpu()) GTEST_SKIP() << "of a device of its own; the CPU's are in tests/unit/engine/halves_test.cpp";
  const auto bits = at::arange(-(1 << 17), 1 << 17, at::kLong) * 16381;
  const auto values = at::cat({bits.to(at::kInt).view(at::kFloat), at::full({3}, NAN)});
  const auto parts = [&](const at::Tensor& from) {
    const auto upper = at::empty(from.sizes(), from.options().dtype(at::kBFloat16)),
               lower = at::empty(from.sizes(), from.options().dtype(at::kShort));
    split(from, upper, lower);
    return std::pair(upper, lower);
  };
  const auto [upper, lower] = parts(here(values));
  const auto [high, low] = parts(values);
  EXPECT_TRUE(upper.to(at::kCPU).view(at::kShort).equal(high.view(at::kShort)));
  EXPECT_TRUE(lower.to(at::kCPU).equal(low));
  EXPECT_TRUE(joined(upper, lower).to(at::kCPU).view(at::kInt).equal(joined(high, low).view(at::kInt)));
}

// Values in two halves are those in float32, to the bit; gradients of both types, on whole packs and beside them.
TEST_P(Update, AdamWOfHalvesIsThatOfFloat32) {
  constexpr std::int64_t kCount = 5 * 256 + 77;
  for (const bool inBytes : {false, true})
    for (const auto collected : {at::kFloat, at::kBFloat16})
      for (const std::int64_t begin : {0, 3}) {
        const auto start = at::randn({kCount});
        const auto from = [&](const at::Tensor& all) { return all.narrow(0, begin, kCount - begin); };
        const auto options = start.options().device(device());
        auto whole = from(here(start.clone()));
        auto upper = from(at::empty({kCount}, options.dtype(at::kBFloat16)));
        const auto lower = from(at::empty({kCount}, options.dtype(at::kShort)));
        split(whole, upper, lower);
        whole.copy_(joined(upper, lower));
        const auto moment = [&](bool withSign) { return Moment::zeros(kCount - begin, inBytes, withSign, device()); };
        const auto first = moment(true), second = moment(false), ofHalves = moment(true), squares = moment(false);
        for (std::int64_t step = 1; step <= 4; ++step) {
          const auto gradient = from(here((at::randn({kCount}) * at::logspace(-6, 0, kCount)).to(at::kBFloat16)));
          const cuda::Update update{1e-4, 0.9, 0.99, 1e-8, 0.1, factor(0.5), step};
          cuda::adamW(kernels(), whole, gradient.to(at::kFloat), first, second, {}, update);
          auto bits = whole.view(at::kInt);
          bits.sub_(bits.bitwise_and(0x1ffff).eq(0x8000).to(at::kInt));  // which has no place in halves
          cuda::adamW(kernels(), upper, gradient.to(collected), ofHalves, squares, {}, update, lower);
          ASSERT_TRUE(joined(upper, lower).equal(whole)) << "step " << step;
        }
        EXPECT_TRUE(ofHalves.values.equal(first.values) && squares.values.equal(second.values));
        EXPECT_FALSE(upper.to(at::kFloat).equal(from(here(start)).to(at::kBFloat16).to(at::kFloat)));
      }
}

TEST_P(Update, AverageOfHalvesIsThatOfFloat32) {
  const auto start = at::randn({1028}), more = at::randn({1028});
  for (const double weight : {0.0, 0.1, 0.75})
    for (const std::int64_t begin : {0, 1}) {
      const auto from = [&](const at::Tensor& all) { return all.narrow(0, begin, 1028 - begin); };
      const auto options = start.options().device(device());
      auto upper = from(at::empty({1028}, options.dtype(at::kBFloat16))),
           lower = from(at::empty({1028}, options.dtype(at::kShort))), averages = from(here(start.clone()));
      split(from(here(more)), upper, lower);
      cuda::average(kernels(), averages, upper, lower, factor(weight));
      expectNear(averages, from(start).lerp(joined(upper, lower).to(at::kCPU), weight), "averages", 1e-6);
      if (weight == 0) EXPECT_TRUE(averages.to(at::kCPU).equal(from(start)));
    }
}

// A step that is not to be applied: nothing changes, however values and moments are kept.
TEST_P(Update, AdamWWithAFactorThatIsNoNumberChangesNothing) {
  constexpr std::int64_t kCount = 300;
  for (const auto kept : {at::kFloat, at::kBFloat16})
    for (const bool inBytes : {false, true}) {
      const auto start = at::randn({kCount}).to(kept);
      auto values = here(start.clone());
      auto copy = here(at::zeros({kCount}, at::TensorOptions().dtype(at::kBFloat16)));
      auto first = Moment::zeros(kCount, inBytes, true, device()),
           second = Moment::zeros(kCount, inBytes, false, device());
      for (const auto* moment : {&first, &second}) {
        if (inBytes) moment->scales.fill_(0.5);
        moment->values.fill_(1);
      }
      const auto gradient = here(at::full({kCount}, NAN).to(kept));
      cuda::adamW(kernels(), values, gradient, first, second, kept == at::kFloat ? copy : at::Tensor(),
                  {1e-2, 0.9, 0.99, 1e-8, 0.1, factor(NAN), 3});
      EXPECT_TRUE(values.to(at::kCPU).equal(start));
      for (const auto* moment : {&first, &second}) {
        EXPECT_TRUE(moment->values.eq(1).all().item<bool>());
        if (inBytes) EXPECT_TRUE(moment->scales.eq(0.5).all().item<bool>());
      }
      EXPECT_EQ(copy.to(at::kFloat).abs().max().item<float>(), 0);
    }
}

TEST_P(Update, RoundingByChanceMissesNeitherWayOnAverage) {
  constexpr std::int64_t kCount = 20000, kSteps = 40;
  const auto options = at::TensorOptions().dtype(at::kBFloat16);
  auto values = here(at::ones({kCount}, options));
  const auto gradients = here(at::randn({kCount}).abs_().add_(0.5).to(at::kBFloat16));
  const auto first = Moment::zeros(kCount, false, true, device()),
             second = Moment::zeros(kCount, false, false, device());
  // A step of 1e-4 is a fortieth of what 16 bits tell apart below 1: to the nearest, nothing would ever move.
  for (std::int64_t step = 1; step <= kSteps; ++step)
    cuda::adamW(kernels(), values, gradients, first, second, {}, {1e-4, 0.9, 0.999, 1e-8, 0, factor(1), step});
  EXPECT_NEAR(values.to(at::kDouble).mean().item<double>(), 1 - kSteps * 1e-4, 1e-4);
  auto again = here(at::ones({kCount}, options));
  const auto newFirst = Moment::zeros(kCount, false, true, device()),
             newSecond = Moment::zeros(kCount, false, false, device());
  for (std::int64_t step = 1; step <= kSteps; ++step) {  // in two halves, as two ranks have them: the same
    for (const std::int64_t begin : {std::int64_t{0}, kCount / 2}) {
      auto half = again.narrow(0, begin, kCount / 2);
      cuda::adamW(kernels(), half, gradients.narrow(0, begin, kCount / 2), newFirst.narrow(begin, kCount / 2),
                  newSecond.narrow(begin, kCount / 2), {}, {1e-4, 0.9, 0.999, 1e-8, 0, factor(1), step});
    }
  }
  EXPECT_TRUE(again.to(at::kCPU).equal(values.to(at::kCPU)));
}

std::span<const float> floats(const at::Tensor& tensor) {
  return {tensor.const_data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

TEST_P(Update, Nf4IsTheCodecs) {
  const auto values = at::randn({1, 64 * 300 + 7});  // a short last block
  values.narrow(1, 64, 64).zero_();
  const auto blocks = (values.numel() + 63) / 64;
  std::vector<std::uint8_t> codes(static_cast<std::size_t>((values.numel() + 1) / 2));
  std::vector<float> scales(static_cast<std::size_t>(blocks)), dense(static_cast<std::size_t>(values.numel()));
  quantiseNf4(floats(values), codes, scales);
  auto ourCodes = here(at::empty({(values.numel() + 1) / 2}, at::TensorOptions().dtype(at::kByte)));
  auto ourScales = here(at::empty({blocks}));
  cuda::quantiseNf4(kernels(), here(values), ourCodes, ourScales);
  const auto codesBack = ourCodes.to(at::kCPU), scalesBack = ourScales.to(at::kCPU);
  EXPECT_TRUE(std::equal(codes.begin(), codes.end(), codesBack.const_data_ptr<std::uint8_t>()));
  EXPECT_TRUE(std::equal(scales.begin(), scales.end(), scalesBack.const_data_ptr<float>()));

  dequantiseNf4(codes, scales, dense);
  const auto expected = at::empty({values.numel()});
  std::copy(dense.begin(), dense.end(), expected.data_ptr<float>());
  const auto back =
      cuda::dequantiseNf4(kernels(), {ourCodes, ourScales, {}, {}, 0}, {values.numel()}, at::kFloat, type());
  EXPECT_TRUE(back.to(at::kCPU).equal(expected.to(type())));
}

TEST_P(Update, Nf4WithScalesInEightBits) {
  const auto values = at::randn({64 * 600});
  std::vector<std::uint8_t> codes(64 * 300);
  std::vector<float> scales(600), plainScales(600), dense(64 * 600);
  quantiseNf4(floats(values), codes, scales);
  const auto nested = quantiseScales(scales);
  dequantiseScales(nested.codes, nested.absmax, nested.offset, plainScales);
  dequantiseNf4(codes, plainScales, dense);
  const auto bytes = [&](const std::vector<std::uint8_t>& from) {
    const auto tensor = at::empty({static_cast<std::int64_t>(from.size())}, at::TensorOptions().dtype(at::kByte));
    std::copy(from.begin(), from.end(), tensor.data_ptr<std::uint8_t>());
    return here(tensor);
  };
  const auto numbers = [&](std::span<const float> from) {
    const auto tensor = at::empty({static_cast<std::int64_t>(from.size())});
    std::copy(from.begin(), from.end(), tensor.data_ptr<float>());
    return tensor;
  };
  const cuda::Nf4Parts parts{bytes(codes), bytes(nested.codes), here(numbers(nested.absmax)),
                             here(numbers(signedByteMap())), nested.offset};
  const auto back = cuda::dequantiseNf4(kernels(), parts, {64 * 600}, at::kBFloat16, type());
  // A multiply and an add may be one operation on a device.
  expectNear(back, numbers(dense).to(at::kBFloat16).to(type()), "values", device().is_cpu() ? 0 : 8e-3);
}

TEST_P(Update, Nf4ProductOfFewRowsIsThatOfTheUnpackedWeight) {
  for (const bool nested : {false, true})
    for (const auto rows : {std::int64_t{1}, std::int64_t{3}, kFewRows, kFewRows + 5}) {  // the last are unpacked first
      auto weight = Nf4Weight::quantise((at::randn({37, 192}) * 0.1).to(at::kBFloat16), nested);
      const auto dense = weight.dequantise(type()).to(at::kCPU, at::kDouble);
      weight.codes = here(weight.codes);
      weight.absmax = here(weight.absmax);
      if (nested) {
        const auto map = at::empty({256});
        std::copy(signedByteMap().begin(), signedByteMap().end(), map.data_ptr<float>());
        weight.nestedAbsmax = here(weight.nestedAbsmax);
        weight.byteMap = here(map);
      }
      const auto x = here(at::randn({1, rows, 192}).to(type())).requires_grad_(true);
      EXPECT_EQ(fewRowsProduct(weight, x).defined(), rows <= kFewRows);
      const auto plain = x.detach().to(at::kCPU, at::kDouble).requires_grad_(true);
      const auto ours = products(x, {{{}, &weight}})[0], expected = at::linear(plain, dense);
      expectNear(ours, expected, "product", tolerance());
      const auto weights = at::randn({1, rows, 37}).to(type());
      (ours * here(weights)).sum().backward();
      (expected * weights.to(at::kDouble)).sum().backward();
      expectNear(x.grad(), plain.grad(), "gradient", tolerance());
    }
}

TEST_P(Update, Nf4WeightsThatDoNotFitThePacksAreUnpackedFirst) {
  auto odd = Nf4Weight::quantise(at::randn({8, 100}), false);  // blocks of 64 across the ends of rows
  odd.codes = here(odd.codes);
  odd.absmax = here(odd.absmax);
  const auto x = here(at::randn({2, 100}).to(type()));
  EXPECT_FALSE(fewRowsProduct(odd, x).defined());
  expectNear(odd.product(x), at::linear(x.to(at::kCPU, at::kDouble), odd.dequantise(type()).to(at::kCPU, at::kDouble)),
             "product", tolerance());
}

ROADTUNE_EVERYWHERE(Update);

}  // namespace
}  // namespace roadtune::engine
