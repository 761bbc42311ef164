// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace roadtune {

// Numbers as people read them; the studio and the command line share these.
std::string formatCount(std::int64_t count);  // 990,412
std::string formatBytes(double bytes);        // 5.8 GB (powers of 1000)
// The unit in which so many bytes are written.
struct ByteUnit {
  double bytes = 1;
  const char* name = "B";
};
ByteUnit byteUnit(double bytes);
std::string formatDuration(double seconds);                         // 3 min 12 s, 2 h 10 min, 450 ms
std::string formatRate(double perSecond, const std::string& noun);  // 41.3 samples/s, 12,346 samples/s
std::string formatNumber(double value, int significant = 4);        // 0.03125, 2e-05, nan

}  // namespace roadtune
