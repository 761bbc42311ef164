// SPDX-License-Identifier: GPL-3.0-or-later
// A CRC is linear: the difference between the stored and the computed one depends only on the wrong byte and on how
// many bytes follow it. So the difference is wound back byte by byte until it is one that a single byte makes.
#include "core/data/records/damaged_byte.h"

#include "core/base/hash.h"

#include <array>
#include <bit>

namespace roadtune::data {

namespace {

struct CrcTables {
  std::array<std::uint32_t, 256> forward{};  // what a byte makes of an empty register
  std::array<std::uint8_t, 256> byTop{};     // the byte whose entry has this top byte; every top byte occurs once
};

constexpr CrcTables makeCrcTables() {
  CrcTables tables;
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78U : 0U);
    tables.forward[i] = crc;
    tables.byTop[crc >> 24] = static_cast<std::uint8_t>(i);
  }
  return tables;
}

constexpr CrcTables kCrcTables = makeCrcTables();

std::uint32_t unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8U;
  return rotated << 15 | rotated >> 17;
}

}  // namespace

std::optional<std::uint64_t> findDamagedByte(std::span<const std::uint8_t> payload, std::uint32_t storedMaskedCrc) {
  std::uint32_t difference = crc32c(payload) ^ unmasked(storedMaskedCrc);
  if (difference == 0) return std::nullopt;
  std::optional<std::uint64_t> byByte, byBit;
  int bytes = 0, bits = 0;
  for (std::size_t at = payload.size(); at-- > 0;) {
    const std::uint32_t change = kCrcTables.byTop[difference >> 24];
    if (kCrcTables.forward[change] == difference) {
      byByte = at;
      ++bytes;
      if (std::has_single_bit(change)) {
        byBit = at;
        ++bits;
      }
    }
    difference = (difference ^ kCrcTables.forward[change]) << 8 | change;
  }
  if (bits == 1) return byBit;
  return bytes == 1 ? byByte : std::nullopt;
}

}  // namespace roadtune::data
