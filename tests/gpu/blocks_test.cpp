// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels are run on where there is no GPU, and bfloat16 by its bits.
#include "tests/gpu/blocks/blocks.h"

#include "core/engine/cuda/portable.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace roadtune {
namespace {

TEST(Blocks, ThreadsMeetAtBarriersAndExchangeInWarps) {
  std::vector<int> written(64), seen(64);
  std::vector<float> sums(64);
  blocks::run({2}, 64, [&] {
    const auto& at = blocks::place();
    const unsigned lane = at.thread.x;
    written[lane] = static_cast<int>(lane);
    blocks::meet();
    if (at.block.x == 0) seen[lane] = written[63 - lane];  // what a later thread wrote
    float sum = static_cast<float>(lane);
    for (unsigned other = 16; other > 0; other /= 2) sum += blocks::partner(sum, other);
    sums[lane] = sum;
  });
  EXPECT_EQ(blocks::takeError(), 0);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(seen[i], static_cast<int>(63 - i));
    EXPECT_EQ(sums[i], i < 32 ? 496.0f : 1520.0f);
  }
}

TEST(Blocks, ThreadsThatWouldWaitForEverAreAnError) {
  const auto errorOf = [](unsigned threads, const std::function<void()>& body) {
    blocks::run({1}, threads, body);
    return std::string(blocks::errorText(blocks::takeError()));
  };
  const auto exchange = [] { (void)blocks::partner(1, 16); };
  EXPECT_NE(errorOf(64,
                    [] {
                      if (blocks::place().thread.x < 40) blocks::meet();
                    })
                .find("wait for each other"),
            std::string::npos);
  EXPECT_NE(errorOf(32,
                    [&] {
                      if (blocks::place().thread.x != 7) exchange();
                    })
                .find("wait for each other"),
            std::string::npos);
  EXPECT_NE(errorOf(40, exchange).find("do not fill their warps"), std::string::npos);
  EXPECT_NE(errorOf(2048, [] {}).find("more blocks or threads"), std::string::npos);
  EXPECT_EQ(errorOf(64, exchange), "all is well");
}

TEST(Bf16Bits, RoundToNearestEvenAndKeepWhatIsNotANumber) {
  using namespace engine::cuda;
  EXPECT_EQ(roundedBf16(1.0f).bits, 0x3f80);
  EXPECT_EQ(roundedBf16(1.00390625f).bits, 0x3f80);  // halfway, even below
  EXPECT_EQ(roundedBf16(1.01171875f).bits, 0x3f82);  // halfway, even above
  EXPECT_EQ(roundedBf16(INFINITY).bits, 0x7f80);
  EXPECT_TRUE(std::isnan(wide(roundedBf16(NAN))));
  EXPECT_EQ(wide(roundedBf16(-3.0f)), -3.0f);
}

}  // namespace
}  // namespace roadtune
