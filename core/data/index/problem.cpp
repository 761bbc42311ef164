// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::data {

namespace {

bool isControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

bool hasControlCharacters(std::string_view text) { return std::any_of(text.begin(), text.end(), isControl); }

std::string Problem::line() const {
  std::string text = file;
  if (offset >= 0) text += ": offset " + std::to_string(offset);
  if (!segment.empty()) text += ": segment " + segment;
  text += ": " + what;
  if (!done.empty()) text += "; " + done;
  std::string line;
  for (const char c : text) {
    if (isControl(c))
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      line += c;
  }
  return line;
}

}  // namespace roadtune::data
