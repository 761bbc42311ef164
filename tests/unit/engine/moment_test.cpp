// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/rows/moment_rows.h"
#include "core/engine/nn/ops.h"
#include "core/engine/optim/adamw.h"
#include "core/engine/quant/byte_codec.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

TEST(Moment, UnsignedMapIsTheDynamicOne) {
  const auto& map = unsignedByteMap();
  EXPECT_EQ(map[0], 0.0f);
  EXPECT_FLOAT_EQ(map[1], 3.25e-7f);
  EXPECT_FLOAT_EQ(map[254], 0.996484375f);
  EXPECT_EQ(map[255], 1.0f);
  EXPECT_TRUE(std::is_sorted(map.begin(), map.end()));
}

TEST(Moment, BytesComeBackWithinHalfAStepOfTheMap) {
  for (const bool withSign : {true, false}) {
    auto exact = at::randn({1000});
    if (!withSign) exact = exact.abs();
    auto moment = Moment::zeros(1000, true, withSign, at::kCPU);
    moment.set(exact);
    const auto back = momentFromBytes(moment.values, moment.scales, 0, withSign);
    for (std::int64_t block = 0; block < 4; ++block) {
      const auto count = std::min<std::int64_t>(256, 1000 - block * 256);
      const auto part = exact.narrow(0, block * 256, count);
      EXPECT_EQ(moment.scales[block].item<float>(), part.abs().max().item<float>());
      const auto error = (back.narrow(0, block * 256, count) - part).abs().max().item<float>();
      EXPECT_LE(error, 0.0071f * moment.scales[block].item<float>()) << (withSign ? "signed" : "unsigned");
    }
  }
}

TEST(Moment, APartThatBeginsWithinABlockHasTheScalesOfItsBlocks) {
  auto moment = Moment::zeros(600, true, true, at::kCPU);
  moment.set(at::randn({600}));
  const auto whole = momentFromBytes(moment.values, moment.scales, 0, true);
  for (const auto& [begin, count] :
       {std::pair<std::int64_t, std::int64_t>{100, 50}, {100, 300}, {256, 344}, {300, 300}}) {
    const auto first = begin / 256, last = (begin + count + 255) / 256;
    const auto part = momentFromBytes(moment.values.narrow(0, begin, count).clone(),
                                      moment.scales.narrow(0, first, last - first).clone(), begin % 256, true);
    EXPECT_TRUE(part.equal(whole.narrow(0, begin, count))) << begin << " " << count;
  }
}

// Every entry, every middle between two, and what lies beside these and between; and what no block holds.
TEST(Moment, TheNearestEntryIsFoundWithoutASearch) {
  const auto expectFound = [](const ByteMap& map, float x, bool withSigns) {
    const auto expected = cuda::nearestByte(map.data(), x);
    const auto found = withSigns ? cuda::nearestMoment<true>(map.data(), x) : cuda::nearestMoment<false>(map.data(), x);
    EXPECT_EQ(found, expected) << x << (withSigns ? " with" : " without") << " signs";
  };
  for (const bool withSigns : {true, false}) {
    const auto& map = withSigns ? signedByteMap() : unsignedByteMap();
    std::vector<float> seen{0.0f, -0.0f, 1.0f, 1.0000001f, 1e-30f, 1e-45f};
    for (std::size_t i = 0; i + 1 < map.size(); ++i)
      for (const float x : {map[i], (map[i] + map[i + 1]) / 2})
        for (const float beside : {x, std::nextafter(x, -2.0f), std::nextafter(x, 2.0f)}) seen.push_back(beside);
    for (double x = 1e-9; x < 1; x *= 1.0003) seen.push_back(static_cast<float>(x));
    for (float power = 1e-8f; power <= 1.0f; power *= 10)
      for (const float x : {power, std::nextafter(power, 0.0f), std::nextafter(power, 2.0f)}) seen.push_back(x);
    for (const float x : seen) {
      if (x >= 0 || withSigns) expectFound(map, x, withSigns);
      if (withSigns) expectFound(map, -x, true);
    }
  }
}

// What a checkpoint sets is a member's bytes and scales; its last block goes on in the padding.
TEST(Moment, PaddingIsZeroWhateverTheScaleOfItsBlock) {
  for (const bool withSign : {true, false}) {
    auto moment = Moment::zeros(256, true, withSign, at::kCPU);
    auto member = moment.narrow(0, 100);
    member.set(at::rand({100}) + 1);
    const auto all = momentFromBytes(moment.values, moment.scales, 0, withSign);
    EXPECT_GT(all.narrow(0, 0, 100).min().item<float>(), 0.9f);
    EXPECT_EQ(all.narrow(0, 100, 156).abs().max().item<float>(), 0.0f);
  }
}

// As many bytes as there are values, and nothing of one member in a block of the next.
TEST(Moment, NeighboursInAGroupDoNotShareBlocks) {
  Parameter a{"a", at::randn({300})}, b{"b", at::randn({700})};
  FlatGroup group{
      .learningRate = 1e-2, .members = {&a, &b}, .offsets = {0, 512}, .begins = {0, 0}, .counts = {300, 700}};
  group.values = at::randn({1280});
  group.gradients = at::zeros({1280});
  group.gradients.narrow(0, 0, 300).fill_(1e3);
  group.gradients.narrow(0, 512, 700).fill_(1e-3);
  group.firstMoment = Moment::zeros(1280, true, true, at::kCPU);
  group.secondMoment = Moment::zeros(1280, true, false, at::kCPU);
  AdamW optimizer({group}, {.eightBit = true});
  optimizer.step(1.0, at::ones({}));
  const auto& moved = optimizer.groups()[0];
  EXPECT_EQ(moved.part(TrainedValues::FirstMoment, 1).scalar_type(), at::kByte);
  EXPECT_EQ(moved.part(TrainedValues::FirstScales, 0).numel(), 2);
  EXPECT_EQ(moved.part(TrainedValues::FirstScales, 1).numel(), 3);
  EXPECT_NEAR(moved.part(TrainedValues::FirstScales, 0).max().item<float>(), 100.0, 1e-3);
  EXPECT_NEAR(moved.part(TrainedValues::FirstScales, 1).max().item<float>(), 1e-4, 1e-9);
}

// A step that turned out not to be finite leaves nothing behind: not in values and moments, nor in the count that
// corrects them.
TEST(AdamW, AStepThatIsTakenBackIsAsIfItHadNotBeen) {
  Parameter parameter{"a", at::zeros({300})};
  const auto start = at::randn({300}), gradients = at::randn({300});
  const auto after = [&](bool interrupted, bool inBytes) {
    FlatGroup group{.learningRate = 1e-2, .members = {&parameter}, .offsets = {0}, .begins = {0}, .counts = {300}};
    group.values = start.clone();
    group.gradients = gradients.clone();
    group.firstMoment = Moment::zeros(300, inBytes, true, at::kCPU);
    group.secondMoment = Moment::zeros(300, inBytes, false, at::kCPU);
    AdamW optimizer({group}, {.eightBit = inBytes});
    optimizer.step(1.0, at::ones({}));
    if (interrupted) {
      optimizer.step(1.0, at::full({}, std::nan("")));
      optimizer.takeBack();
    }
    optimizer.step(1.0, at::full({}, 0.5));
    return std::pair(optimizer.groups()[0].values, optimizer.steps());
  };
  for (const bool inBytes : {false, true}) {
    const auto [values, steps] = after(false, inBytes);
    const auto [others, asMany] = after(true, inBytes);
    EXPECT_TRUE(values.equal(others)) << inBytes;
    EXPECT_EQ(steps, asMany);
  }
}

}  // namespace
}  // namespace roadtune::engine
