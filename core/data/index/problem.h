// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace roadtune::data {

// Something in the data that cost a part of it: where, what, and what was done about it.
struct Problem {
  std::string file;
  std::int64_t offset = -1;  // bytes; -1 when there is no single place
  std::string segment = {};
  std::string what;
  std::string done = {};  // "record left out", "rest of the file left out" ...
  // A picture is not there or damaged: another may lie in its place when the file is imported again.
  bool picture = false;

  // "FILE: offset 1024: segment S: payload CRC differs; record left out", in one line whatever the parts hold.
  std::string line() const;
};

// Whether the text holds bytes that no name has.
bool hasControlCharacters(std::string_view text);

}  // namespace roadtune::data
