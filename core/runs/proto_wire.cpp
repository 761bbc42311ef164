// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/proto_wire.h"

#include <bit>
#include <cstddef>

namespace roadtune::runs {

namespace {

void putLittleEndian(std::string& out, std::uint64_t bits, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(bits >> (8 * i));
}

void putTag(std::string& out, int field, int type) {
  putVarint(out, static_cast<std::uint64_t>(field) << 3 | static_cast<unsigned>(type));
}

bool takeVarint(std::string_view& bytes, std::uint64_t& value) {
  value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte & 0x80) continue;
    bytes.remove_prefix(i + 1);
    return true;
  }
  return false;
}

bool takeFixed(std::string_view& bytes, std::size_t count, std::uint64_t& value) {
  if (bytes.size() < count) return false;
  value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  bytes.remove_prefix(count);
  return true;
}

}  // namespace

void putVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void putVarintField(std::string& out, int field, std::uint64_t value) {
  putTag(out, field, 0);
  putVarint(out, value);
}

void putDoubleField(std::string& out, int field, double value) {
  putTag(out, field, 1);
  putLittleEndian(out, std::bit_cast<std::uint64_t>(value), 8);
}

void putFloatField(std::string& out, int field, float value) {
  putTag(out, field, 5);
  putLittleEndian(out, std::bit_cast<std::uint32_t>(value), 4);
}

void putBytesField(std::string& out, int field, std::string_view bytes) {
  putTag(out, field, 2);
  putVarint(out, bytes.size());
  out += bytes;
}

double WireField::asDouble() const { return std::bit_cast<double>(number); }
float WireField::asFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(number)); }

std::optional<WireField> nextField(std::string_view& message) {
  if (message.empty()) return {};
  std::string_view rest = message;
  std::uint64_t tag = 0;
  if (!takeVarint(rest, tag) || tag >> 3 == 0 || tag >> 3 > 0x1fffffff) return {};
  WireField field{static_cast<int>(tag >> 3), static_cast<int>(tag & 7)};
  switch (field.type) {
    case 0:
      if (!takeVarint(rest, field.number)) return {};
      break;
    case 1:
      if (!takeFixed(rest, 8, field.number)) return {};
      break;
    case 5:
      if (!takeFixed(rest, 4, field.number)) return {};
      break;
    case 2: {
      std::uint64_t size = 0;
      if (!takeVarint(rest, size) || size > rest.size()) return {};
      field.bytes = rest.substr(0, size);
      rest.remove_prefix(size);
      break;
    }
    default: return {};
  }
  message = rest;
  return field;
}

}  // namespace roadtune::runs
