// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace roadtune {

std::string formatCount(std::int64_t count) {
  std::string digits = std::to_string(count < 0 ? -count : count);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return count < 0 ? "-" + digits : digits;
}

ByteUnit byteUnit(double bytes) {
  static constexpr std::array kNames = {"B", "kB", "MB", "GB", "TB", "PB"};
  ByteUnit unit;
  for (std::size_t i = 1; i < kNames.size() && std::abs(bytes) / unit.bytes >= 999.95; ++i)
    unit = {unit.bytes * 1000, kNames[i]};
  return unit;
}

std::string formatBytes(double bytes) {
  const ByteUnit unit = byteUnit(bytes);
  return fmt::format("{:.{}f} {}", bytes / unit.bytes, unit.bytes == 1 ? 0 : 1, unit.name);
}

std::string formatDuration(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 0) return "-" + formatDuration(-seconds);
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string formatRate(double perSecond, const std::string& noun) {
  if (std::abs(perSecond) >= 999.95 && std::abs(perSecond) < 1e15)
    return formatCount(std::llround(perSecond)) + " " + noun + "/s";
  const int decimals = std::abs(perSecond) >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}/s", perSecond, decimals, noun);
}

std::string formatNumber(double value, int significant) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{:.{}g}", value, significant);
}

}  // namespace roadtune
