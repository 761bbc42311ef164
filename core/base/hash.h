// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace roadtune {

// Incremental SHA-256; hex() ends it.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const std::uint8_t> bytes);
  void update(std::string_view bytes);
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> m_context;
};

std::string sha256Hex(std::span<const std::uint8_t> bytes);
std::string sha256Hex(std::string_view bytes);
Result<std::string> sha256OfFile(const std::filesystem::path& path);

// CRC-32C (Castagnoli), with the processor's instruction where there is one. `seed` continues an earlier sum.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t seed = 0);

// The rotated and offset form in which TFRecord files store a CRC.
std::uint32_t maskedCrc32c(std::span<const std::uint8_t> bytes);
constexpr std::uint32_t maskCrc(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

// A fast 64-bit mix for seeds and hash tables; not for security. Equal on every machine.
std::uint64_t mix64(std::uint64_t value);
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace roadtune
