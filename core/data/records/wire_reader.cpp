// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/records/wire_reader.h"

#include <array>
#include <bit>
#include <cstring>

namespace roadtune::data {

namespace {
constexpr std::size_t kMaxGroupDepth = 64;
}

double WireField::asDouble() const {
  if (type == WireType::Fixed64) return std::bit_cast<double>(value);
  if (type == WireType::Fixed32) return std::bit_cast<float>(static_cast<std::uint32_t>(value));
  return static_cast<double>(asInt());
}

bool WireReader::fail() {
  m_broken = true;
  return false;
}

bool WireReader::readVarint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 70 && m_at < m_end; shift += 7) {
    const std::uint64_t byte = *m_at++;
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return fail();
}

bool WireReader::readFixed(std::uint64_t& value, std::size_t size) {
  if (static_cast<std::size_t>(m_end - m_at) < size) return fail();
  value = 0;
  std::memcpy(&value, m_at, size);  // the wire and every machine we run on are little endian
  m_at += size;
  return true;
}

bool WireReader::readTag(WireField& field) {
  std::uint64_t tag = 0;
  if (!readVarint(tag)) return false;
  const std::uint64_t number = tag >> 3;
  if (number == 0 || number > 0x1fffffff || (tag & 7) > 5) return fail();
  field.number = static_cast<std::uint32_t>(number);
  field.type = static_cast<WireType>(tag & 7);
  return true;
}

// Steps over a group and whatever it holds; its content becomes the value of `field`.
bool WireReader::skipGroup(std::uint32_t number, WireField& field) {
  std::array<std::uint32_t, kMaxGroupDepth> open{number};
  std::size_t depth = 1;
  const std::uint8_t* content = m_at;
  while (depth > 0) {
    const std::uint8_t* before = m_at;
    WireField inner;
    if (m_at == m_end || !readTag(inner)) return fail();
    std::uint64_t value = 0;
    switch (inner.type) {
      case WireType::Varint:
        if (!readVarint(value)) return false;
        break;
      case WireType::Fixed64:
        if (!readFixed(value, 8)) return false;
        break;
      case WireType::Fixed32:
        if (!readFixed(value, 4)) return false;
        break;
      case WireType::Bytes:
        if (!readVarint(value) || value > static_cast<std::uint64_t>(m_end - m_at)) return fail();
        m_at += value;
        break;
      case WireType::GroupStart:
        if (depth == kMaxGroupDepth) return fail();
        open[depth++] = inner.number;
        break;
      case WireType::GroupEnd:
        if (open[--depth] != inner.number) return fail();
        if (depth == 0) field.bytes = {content, before};
        break;
    }
  }
  return true;
}

bool WireReader::next(WireField& field) {
  if (m_broken || m_at == m_end) return false;
  const std::uint8_t* start = m_at;
  field.bytes = {};
  field.value = 0;
  bool sound = readTag(field);
  if (sound) {
    switch (field.type) {
      case WireType::Varint: sound = readVarint(field.value); break;
      case WireType::Fixed64: sound = readFixed(field.value, 8); break;
      case WireType::Fixed32: sound = readFixed(field.value, 4); break;
      case WireType::Bytes: {
        std::uint64_t size = 0;
        sound = readVarint(size) && size <= static_cast<std::uint64_t>(m_end - m_at);
        if (!sound) break;
        field.bytes = {m_at, static_cast<std::size_t>(size)};
        m_at += size;
        break;
      }
      case WireType::GroupStart: sound = skipGroup(field.number, field); break;
      case WireType::GroupEnd: sound = false; break;
    }
  }
  if (sound) return true;
  m_at = start;
  return fail();
}

}  // namespace roadtune::data
