// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/wire_writer.h"

#include <cstring>

namespace roadtune::data {

void WireWriter::raw(std::uint64_t value) {
  while (value >= 0x80) {
    m_out.push_back(static_cast<char>((value & 0x7f) | 0x80));
    value >>= 7;
  }
  m_out.push_back(static_cast<char>(value));
}

void WireWriter::varint(std::uint32_t number, std::uint64_t value) {
  raw(static_cast<std::uint64_t>(number) << 3);
  raw(value);
}

void WireWriter::fixedDouble(std::uint32_t number, double value) {
  raw(static_cast<std::uint64_t>(number) << 3 | 1);
  char bits[sizeof value];
  std::memcpy(bits, &value, sizeof value);
  m_out.append(bits, sizeof bits);
}

void WireWriter::fixedFloat(std::uint32_t number, float value) {
  raw(static_cast<std::uint64_t>(number) << 3 | 5);
  char bits[sizeof value];
  std::memcpy(bits, &value, sizeof value);
  m_out.append(bits, sizeof bits);
}

void WireWriter::bytes(std::uint32_t number, std::string_view value) {
  raw(static_cast<std::uint64_t>(number) << 3 | 2);
  raw(value.size());
  m_out.append(value);
}

}  // namespace roadtune::data
