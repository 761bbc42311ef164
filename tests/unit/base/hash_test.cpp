// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include "core/base/random.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace roadtune {
namespace {

std::span<const std::uint8_t> bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Hash, Sha256MatchesThePublishedVectors) {
  EXPECT_EQ(sha256Hex(std::string_view("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256Hex(std::string_view("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, Sha256InPartsEqualsTheWhole) {
  Sha256 sum;
  sum.update(std::string_view("ab"));
  sum.update(std::string_view("c"));
  EXPECT_EQ(sum.hex(), sha256Hex(std::string_view("abc")));
}

TEST(Hash, Crc32cMatchesThePublishedVector) { EXPECT_EQ(crc32c(bytesOf("123456789")), 0xe3069283u); }

TEST(Hash, MaskedCrcMatchesTheTensorBoardVector) {
  EXPECT_EQ(maskedCrc32c(bytesOf("\x1a\x11"
                                 "CRC test, one two")),
            0x5794d08au);
}

TEST(Hash, CrcInPartsEqualsTheWholeAtEverySplit) {
  std::string text;
  Random random(3);
  for (int i = 0; i < 100; ++i) text += static_cast<char>(random.below(256));
  const std::uint32_t whole = crc32c(bytesOf(text));
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const std::string head = text.substr(0, at), tail = text.substr(at);
    EXPECT_EQ(crc32c(bytesOf(tail), crc32c(bytesOf(head))), whole) << "split at " << at;
  }
}

TEST(Hash, FileHashEqualsTheHashOfItsBytes) {
  testing::TempFolder folder;
  EXPECT_EQ(sha256OfFile(folder.write("f", "abc")).value(), sha256Hex(std::string_view("abc")));
  EXPECT_FALSE(sha256OfFile(folder / "none").ok());
}

TEST(Hash, Hash64DependsOnEveryByteAndTheSeed) {
  EXPECT_EQ(hash64("roadtune", 1), hash64("roadtune", 1));
  EXPECT_NE(hash64("roadtune", 1), hash64("roadtune", 2));
  EXPECT_NE(hash64("roadtune"), hash64("roadtunf"));
  EXPECT_NE(hash64(std::string_view("\0", 1)), hash64(std::string_view("\0\0", 2)));
}

TEST(Random, SameSeedSameNumbers) {
  Random a(42), b(42), c(43);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
}

TEST(Random, NumbersStayInTheirRangeAndSpread) {
  Random random(7);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ASSERT_LT(random.below(7), 7u);
    const double n = random.normal();
    sum += n;
    squares += n * n;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.05);
  EXPECT_NEAR(squares / 20000, 1, 0.05);
}

}  // namespace
}  // namespace roadtune
