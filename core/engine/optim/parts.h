// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstdint>

namespace roadtune::engine {

// work(begin, count) for parts of so many values: what is made of each in between stays small beside a whole buffer.
template <class Work>
void inParts(std::int64_t total, Work&& work) {
  constexpr std::int64_t kPart = 1 << 22;
  for (std::int64_t begin = 0; begin < total; begin += kPart) work(begin, std::min(kPart, total - begin));
}

}  // namespace roadtune::engine
