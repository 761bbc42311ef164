// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace roadtune::data {

// Frames one payload as TFRecord files do: length, its CRC, payload, its CRC.
void appendTfRecord(std::string& out, std::string_view payload);

inline constexpr std::size_t kTfRecordHeaderBytes = 12;  // u64 length, u32 masked CRC-32C of it
inline constexpr std::size_t kTfRecordFooterBytes = 4;   // u32 masked CRC-32C of the payload

}  // namespace roadtune::data
