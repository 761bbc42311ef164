// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/json_scan.h"

#include <cmath>
#include <cstdlib>
#include <string>

namespace roadtune::protocol {

namespace {

constexpr int kMaxDepth = 64;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr std::size_t kSafeDigits = 300;  // of a number without exponent that surely fits a double

bool isFiniteNumber(std::string_view text) { return std::isfinite(std::strtod(std::string(text).c_str(), nullptr)); }

bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Of a character that takes two units.
bool isFirstHalf(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool isSecondHalf(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

std::size_t JsonScan::blanks(std::size_t at) const {
  while (at < m_text.size() && (m_text[at] == ' ' || m_text[at] == '\t' || m_text[at] == '\r' || m_text[at] == '\n'))
    ++at;
  return at;
}

int JsonScan::utf16Unit(std::size_t at) const {
  int unit = 0;
  for (int i = 0; i < 4; ++i, ++at) {
    const char c = peek(at);
    if (!isHex(c)) return -1;
    unit = unit * 16 + (isDigit(c) ? c - '0' : (c | 32) - 'a' + 10);
  }
  return unit;
}

std::size_t JsonScan::text(std::size_t at) const {
  if (peek(at) != '"') return npos;
  for (++at; at < m_text.size(); ++at) {
    const char c = m_text[at];
    if (c == '"') return at + 1;
    if (static_cast<unsigned char>(c) < 0x20) return npos;
    if (c != '\\') continue;
    const char escaped = peek(++at);
    if (escaped == 'u') {
      const int unit = utf16Unit(at + 1);
      at += 4;
      if (unit < 0 || isSecondHalf(unit)) return npos;
      if (!isFirstHalf(unit)) continue;
      if (peek(at + 1) != '\\' || peek(at + 2) != 'u' || !isSecondHalf(utf16Unit(at + 3))) return npos;
      at += 6;
    } else if (escaped == '\0' || std::string_view("\"\\/bfnrt").find(escaped) == npos) {
      return npos;
    }
  }
  return npos;
}

std::size_t JsonScan::number(std::size_t at) const {
  const std::size_t begin = at;
  if (peek(at) == '-') ++at;
  if (!isDigit(peek(at))) return npos;
  if (peek(at) == '0') {
    ++at;
  } else {
    while (isDigit(peek(at))) ++at;
  }
  if (peek(at) == '.') {
    if (!isDigit(peek(++at))) return npos;
    while (isDigit(peek(at))) ++at;
  }
  const bool exponent = peek(at) == 'e' || peek(at) == 'E';
  if (exponent) {
    ++at;
    if (peek(at) == '+' || peek(at) == '-') ++at;
    if (!isDigit(peek(at))) return npos;
    while (isDigit(peek(at))) ++at;
  }
  const bool mayBeLarge = exponent || at - begin > kSafeDigits;
  return !mayBeLarge || isFiniteNumber(m_text.substr(begin, at - begin)) ? at : npos;
}

std::size_t JsonScan::word(std::size_t at, std::string_view expected) const {
  return m_text.substr(at, expected.size()) == expected ? at + expected.size() : npos;
}

std::size_t JsonScan::value(std::size_t at, int depth) const {
  switch (peek(at)) {
    case '"': return text(at);
    case '{':
    case '[': return nested(at, depth);
    case 't': return word(at, "true");
    case 'f': return word(at, "false");
    case 'n': return word(at, "null");
    default: return number(at);
  }
}

// An object or a list, brackets included.
std::size_t JsonScan::nested(std::size_t at, int depth) const {
  if (depth >= kMaxDepth) return npos;
  const bool object = peek(at) == '{';
  const char close = object ? '}' : ']';
  at = blanks(at + 1);
  if (peek(at) == close) return at + 1;
  while (true) {
    if (object) {
      at = text(at);
      if (at == npos) return npos;
      at = blanks(at);
      if (peek(at) != ':') return npos;
      at = blanks(at + 1);
    }
    at = value(at, depth + 1);
    if (at == npos) return npos;
    at = blanks(at);
    if (peek(at) == close) return at + 1;
    if (peek(at) != ',') return npos;
    at = blanks(at + 1);
  }
}

}  // namespace roadtune::protocol
