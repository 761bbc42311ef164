// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace roadtune::data {

// Builds one serialised protocol buffer message. Fields lie in the order of the calls.
class WireWriter {
 public:
  void varint(std::uint32_t number, std::uint64_t value);
  void fixedDouble(std::uint32_t number, double value);
  void fixedFloat(std::uint32_t number, float value);
  void bytes(std::uint32_t number, std::string_view value);
  void message(std::uint32_t number, const WireWriter& value) { bytes(number, value.m_out); }

  const std::string& data() const { return m_out; }
  std::string take() { return std::move(m_out); }

 private:
  void raw(std::uint64_t value);
  std::string m_out;
};

}  // namespace roadtune::data
