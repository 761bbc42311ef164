// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace roadtune {

namespace {

constexpr std::array<std::array<std::uint32_t, 256>, 8> makeTables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0u);
    tables[0][i] = crc;
  }
  for (std::uint32_t i = 0; i < 256; ++i)
    for (std::size_t t = 1; t < 8; ++t) tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  return tables;
}

constexpr auto kTables = makeTables();

std::uint32_t crcPortable(const std::uint8_t* data, std::size_t size, std::uint32_t crc) {
  while (size >= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    word ^= crc;
    crc = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) crc ^= kTables[7 - byte][(word >> (8 * byte)) & 0xff];
    data += 8;
    size -= 8;
  }
  while (size--) crc = (crc >> 8) ^ kTables[0][(crc ^ *data++) & 0xff];
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crcHardware(const std::uint8_t* data, std::size_t size,
                                                            std::uint32_t crc) {
  std::uint64_t wide = crc;
  while (size >= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    wide = _mm_crc32_u64(wide, word);
    data += 8;
    size -= 8;
  }
  crc = static_cast<std::uint32_t>(wide);
  while (size--) crc = _mm_crc32_u8(crc, *data++);
  return crc;
}
#endif

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t seed) {
#if defined(__x86_64__)
  static const bool hardware = __builtin_cpu_supports("sse4.2");
  if (hardware) return ~crcHardware(bytes.data(), bytes.size(), ~seed);
#endif
  return ~crcPortable(bytes.data(), bytes.size(), ~seed);
}

std::uint32_t maskedCrc32c(std::span<const std::uint8_t> bytes) { return maskCrc(crc32c(bytes)); }

}  // namespace roadtune
