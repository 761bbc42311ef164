// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/bitmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace roadtune::data {
namespace {

TEST(BitmapTest, SetsWhatBytesSayFromAnyPlace) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::size_t first = random() % 300, count = random() % 400, after = random() % 70;
    std::vector<std::uint8_t> bytes(count);
    for (auto& byte : bytes) byte = random() % 3 == 0;
    Bitmap bits(first + count + after);
    std::vector<bool> wanted(bits.size());
    for (int i = 0; i < 5 && bits.size() > 0; ++i) {  // bits that are on already stay on
      const std::size_t at = random() % bits.size();
      bits.set(at);
      wanted[at] = true;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (bytes[i]) wanted[first + i] = true;
    bits.setWhere(first, bytes.data(), count);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      ASSERT_EQ(bits.test(i), wanted[i]) << i << " of " << first << "+" << count << "+" << after;
    ASSERT_EQ(bits.count(), static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), true)));
  }
}

}  // namespace
}  // namespace roadtune::data
