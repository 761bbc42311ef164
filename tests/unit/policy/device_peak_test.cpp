// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/device_peak.h"

#include <gtest/gtest.h>

namespace roadtune::policy {
namespace {

TEST(DevicePeak, KnowsCardsByTheNamesTheirDriversGive) {
  EXPECT_EQ(peakFlops("NVIDIA H200", true), 989e12);
  EXPECT_EQ(peakFlops("NVIDIA H100 80GB HBM3", true), 989e12);
  EXPECT_EQ(peakFlops("NVIDIA H100 PCIe", true), 756e12) << "not the other H100's";
  EXPECT_EQ(peakFlops("NVIDIA A100-SXM4-80GB", false), 156e12);
  EXPECT_EQ(peakFlops("NVIDIA B200", true), 2250e12);
  EXPECT_EQ(peakFlops("NVIDIA L40S", true), 362e12);
  EXPECT_EQ(peakFlops("NVIDIA L4", true), 121e12);
}

TEST(DevicePeak, SaysNothingOfOthers) {
  for (const char* other : {"NVIDIA T4", "NVIDIA RTX A4000", "NVIDIA RTX A1000", "NVIDIA A10G", "NVIDIA RTX A3000"})
    EXPECT_FALSE(peakFlops(other, true).has_value()) << other;
  EXPECT_FALSE(peakFlops("cpu", true).has_value());
  EXPECT_FALSE(peakFlops("", false).has_value());
}

}  // namespace
}  // namespace roadtune::policy
