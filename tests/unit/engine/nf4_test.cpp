// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/quant/nf4_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace roadtune::engine {
namespace {

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  char pair[3];
  for (const auto byte : bytes) {
    std::snprintf(pair, sizeof pair, "%02x", byte);
    text += pair;
  }
  return text;
}

TEST(Nf4, GoldenVector) {
  std::vector<float> values(128);
  for (int k = 0; k < 128; ++k) values[static_cast<std::size_t>(k)] = static_cast<float>((37 * k) % 101 - 50) / 64.0f;
  std::vector<std::uint8_t> codes(64);
  std::vector<float> absmax(2);
  quantiseNf4(values, codes, absmax);
  EXPECT_EQ(absmax, (std::vector<float>{0.78125f, 0.78125f}));
  EXPECT_EQ(hex(codes),
            "04c16e29f3b05d17e29f3c05d18e2af4c16e18e3b05d17e29f3b05d18e2af4c1"
            "6d18e3b04c17e29f3b05d17e2af4c06d18e2a04c16e29f3b05d17e29f3c05d18");
  std::vector<float> back(128);
  dequantiseNf4(codes, absmax, back);
  EXPECT_EQ(back[0], -0.78125f);
  EXPECT_NEAR(back[1], -0.22221982f, 1e-7);
  EXPECT_NEAR(back[2], 0.34430456f, 1e-7);
  EXPECT_NEAR(back[3], -0.54390061f, 1e-7);
}

TEST(Nf4, ZeroBlockAndShortLastBlockSurvive) {
  std::vector<float> values(65, 0.0f);
  values[64] = -2.0f;
  std::vector<std::uint8_t> codes(33);
  std::vector<float> absmax(2), back(65);
  quantiseNf4(values, codes, absmax);
  EXPECT_EQ(codes[0], 0x77);
  EXPECT_EQ(absmax[0], 0.0f);
  dequantiseNf4(codes, absmax, back);
  EXPECT_EQ(back[3], 0.0f);
  EXPECT_EQ(back[64], -2.0f);
}

TEST(Nf4, ByteMapIsTheSignedDynamicOne) {
  const auto& map = signedByteMap();
  EXPECT_FLOAT_EQ(map[0], -0.99296875f);
  EXPECT_EQ(map[255], 1.0f);
  EXPECT_TRUE(std::is_sorted(map.begin(), map.end()));
  EXPECT_EQ(std::count(map.begin(), map.end(), 0.0f), 1);
}

TEST(Nf4, NestedScalesComeBackClose) {
  std::vector<float> scales(700), back(700);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = 0.05f + 0.01f * std::sin(static_cast<float>(i));
  const auto nested = quantiseScales(scales);
  EXPECT_EQ(nested.absmax.size(), 3u);
  dequantiseScales(nested.codes, nested.absmax, nested.offset, back);
  for (std::size_t i = 0; i < scales.size(); ++i) EXPECT_NEAR(back[i], scales[i], 1.1e-4);
}

}  // namespace
}  // namespace roadtune::engine
