// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace roadtune::data {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, GroupStart = 3, GroupEnd = 4, Fixed32 = 5 };

// One field of a serialised protocol buffer. `number` and `type` are always set; of the values only the fitting one.
struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::Varint;
  std::uint64_t value = 0;              // Varint, Fixed64, Fixed32: the raw bits
  std::span<const std::uint8_t> bytes;  // Bytes; for GroupStart the content of the group

  std::int64_t asInt() const { return static_cast<std::int64_t>(value); }
  std::int64_t asZigzag() const {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  double asDouble() const;  // Fixed64 as double, Fixed32 as float; a varint as its number
  std::string_view asText() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// Walks the fields of one message in the order they lie in. Never reads outside its span, never recurses deeper than a
// fixed limit. Use: while (reader.next(field)) ...; if (reader.broken()) ...
class WireReader {
 public:
  explicit WireReader(std::span<const std::uint8_t> bytes)
      : m_begin(bytes.data()), m_at(bytes.data()), m_end(bytes.data() + bytes.size()) {}

  bool next(WireField& field);
  bool broken() const { return m_broken; }
  std::size_t offset() const {
    return static_cast<std::size_t>(m_at - m_begin);
  }  // of the next field, or of the damage

 private:
  bool fail();
  bool readVarint(std::uint64_t& value);
  bool readFixed(std::uint64_t& value, std::size_t size);
  bool readTag(WireField& field);
  bool skipGroup(std::uint32_t number, WireField& field);

  const std::uint8_t* m_begin;
  const std::uint8_t* m_at;
  const std::uint8_t* m_end;
  bool m_broken = false;
};

}  // namespace roadtune::data
