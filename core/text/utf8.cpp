// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/utf8.h"

namespace roadtune::text {
namespace {

bool isContinuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

std::size_t announcedLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

char32_t decodeCharacter(std::string_view text, std::size_t at, std::size_t length) {
  const auto lead = static_cast<unsigned char>(text[at]);
  char32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  return value;
}

// Length of a well-formed character at `at`, 0 when there is none.
std::size_t wellFormedLength(std::string_view text, std::size_t at) {
  const std::size_t length = announcedLength(static_cast<unsigned char>(text[at]));
  for (std::size_t i = 1; i < length; ++i)
    if (!isContinuation(text, at + i)) return 0;
  if (length < 3) return length;
  const char32_t value = decodeCharacter(text, at, length);
  const bool overlong = value < (length == 3 ? 0x800u : 0x10000u);
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  return overlong || surrogate || value > 0x10FFFF ? 0 : length;
}

}  // namespace

std::size_t utf8Length(std::string_view text, std::size_t at) {
  const std::size_t length = wellFormedLength(text, at);
  return length == 0 ? 1 : length;
}

char32_t utf8At(std::string_view text, std::size_t at) {
  const std::size_t length = wellFormedLength(text, at);
  return length == 0 ? 0xFFFD : decodeCharacter(text, at, length);
}

bool isUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = wellFormedLength(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool isSpace(char32_t c) {
  return (c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isWord(char32_t c) {
  if (c < 128) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  return c != 0xD7 && c != 0xF7 && !isSpace(c) && !(c >= 0x2000 && c < 0x2C00) && !(c >= 0x3000 && c < 0x3005) &&
         !(c >= 0xFF00 && c < 0xFF10) && c < 0x1F000;
}

}  // namespace roadtune::text
