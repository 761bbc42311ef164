// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace roadtune::data {

// Something in the data that cost a part of it: where, what, and what was done about it.
struct Problem {
  std::string file;
  std::int64_t offset = -1;  // bytes; -1 when there is no single place
  std::string segment = {};
  std::string what;
  std::string done = {};  // "record left out", "rest of the file left out" ...

  std::string line() const;  // "FILE: offset 1024: segment S: payload CRC differs; record left out"
};

}  // namespace roadtune::data
