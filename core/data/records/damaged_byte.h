// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace roadtune::data {

// Where the one wrong byte lies, when changing a single byte of `payload` explains a masked CRC-32C that does not
// match; nothing when no byte does, or when several could and none of them by a single flipped bit. Costs a few
// nanoseconds a byte.
std::optional<std::uint64_t> findDamagedByte(std::span<const std::uint8_t> payload, std::uint32_t storedMaskedCrc);

}  // namespace roadtune::data
