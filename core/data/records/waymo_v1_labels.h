// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/records/waymo_types.h"
#include "core/data/records/wire_reader.h"

#include <cstring>
#include <span>

namespace roadtune::data {

// Calls `visit` for every field; false when the bytes are broken or `visit` said false.
template <class Visit>
bool walkFields(std::span<const std::uint8_t> bytes, Visit&& visit) {
  WireReader reader(bytes);
  WireField field;
  while (reader.next(field))
    if (!visit(field)) return false;
  return !reader.broken();
}

inline int asEnum(const WireField& field) { return static_cast<int>(static_cast<std::int32_t>(field.value)); }

inline bool isText(const WireField& field) { return field.type == WireType::Bytes; }
inline bool isNumber(const WireField& field) { return field.type == WireType::Varint; }
inline bool isDouble(const WireField& field) {
  return field.type == WireType::Fixed64 || field.type == WireType::Fixed32;
}

// Stores the numbers of a repeated double, packed or one per field, in `out` from position `count` on; what does not
// fit is dropped. False when packed bytes do not divide by eight.
inline bool addDoubles(const WireField& field, std::span<double> out, std::size_t& count) {
  if (isDouble(field)) {
    if (count < out.size()) out[count++] = field.asDouble();
    return true;
  }
  if (field.type != WireType::Bytes) return true;
  if (field.bytes.size() % sizeof(double) != 0) return false;
  for (std::size_t at = 0; at < field.bytes.size() && count < out.size(); at += sizeof(double))
    std::memcpy(&out[count++], field.bytes.data() + at, sizeof(double));
  return true;
}

// False when the bytes are no message; then `label` holds what was read so far.
bool readWaymoLabel(std::span<const std::uint8_t> bytes, WaymoLabel& label);
bool readWaymoCameraLabels(std::span<const std::uint8_t> bytes, WaymoCameraLabels& labels);

}  // namespace roadtune::data
