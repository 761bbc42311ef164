// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string_view>

namespace roadtune::protocol {

// Walks over JSON text without building anything. Every function takes the position of a first character and returns
// the position behind the thing, or npos when it is not well-formed.
class JsonScan {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  explicit JsonScan(std::string_view text) : m_text(text) {}

  std::size_t blanks(std::size_t at) const;
  std::size_t text(std::size_t at) const;  // at the opening quote
  std::size_t number(std::size_t at) const;
  int utf16Unit(std::size_t at) const;  // four hexadecimal digits; below zero when they are not
  std::size_t value(std::size_t at, int depth = 0) const;
  char peek(std::size_t at) const { return at < m_text.size() ? m_text[at] : '\0'; }

 private:
  std::size_t word(std::size_t at, std::string_view expected) const;
  std::size_t nested(std::size_t at, int depth) const;

  std::string_view m_text;
};

}  // namespace roadtune::protocol
