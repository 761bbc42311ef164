// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::runs {

// The little of the protobuf wire format that TensorBoard's events need: writing fields, and walking over them.
void putVarint(std::string& out, std::uint64_t value);
void putVarintField(std::string& out, int field, std::uint64_t value);
void putDoubleField(std::string& out, int field, double value);
void putFloatField(std::string& out, int field, float value);
void putBytesField(std::string& out, int field, std::string_view bytes);

// One field of a message. Which of the values is meant follows from the wire type.
struct WireField {
  int field = 0;
  int type = 0;                 // 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes
  std::uint64_t number = 0;     // types 0, 1, 5: the bits
  std::string_view bytes = {};  // type 2

  double asDouble() const;
  float asFloat() const;
};

// Takes the next field off the front of `message`. Empty at the end, or when the bytes are no message (then `message`
// is not empty).
std::optional<WireField> nextField(std::string_view& message);

}  // namespace roadtune::runs
