// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/record_frame.h"

#include "core/base/hash.h"

#include <cstdint>
#include <span>

namespace roadtune::runs {

namespace {

constexpr std::size_t kOverhead = 16;  // eight bytes of length and two checksums
constexpr std::uint64_t kTooLong = std::uint64_t{1} << 40;

std::span<const std::uint8_t> span(std::string_view bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::string littleEndian(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::uint64_t number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

}  // namespace

std::string frameRecord(std::string_view bytes) {
  const std::string length = littleEndian(bytes.size(), 8);
  std::string record = length + littleEndian(maskedCrc32c(span(length)), 4);
  record += bytes;
  return record + littleEndian(maskedCrc32c(span(bytes)), 4);
}

Frame readFrame(std::string_view data) {
  if (data.size() < 12) return {};
  const std::uint64_t length = number(data.substr(0, 8));
  if (length > kTooLong || number(data.substr(8, 4)) != maskedCrc32c(span(data.substr(0, 8))))
    return {FrameState::Damaged};
  const std::size_t size = length + kOverhead;
  if (data.size() < size) return {FrameState::Incomplete, {}, size};
  const std::string_view bytes = data.substr(12, length);
  if (number(data.substr(12 + length, 4)) != maskedCrc32c(span(bytes))) return {FrameState::Damaged};
  return {FrameState::Whole, bytes, size};
}

}  // namespace roadtune::runs
