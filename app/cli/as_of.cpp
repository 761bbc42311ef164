// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/as_of.h"

#include "core/base/clock.h"

#include <fmt/format.h>

#include <ctime>

namespace roadtune::cli {

std::string clockWords(double wallSeconds) {
  const auto then = static_cast<std::time_t>(wallSeconds), now = static_cast<std::time_t>(roadtune::wallSeconds());
  std::tm at{}, today{};
  ::localtime_r(&then, &at);
  ::localtime_r(&now, &today);
  const std::string clock = fmt::format("{:02}:{:02}", at.tm_hour, at.tm_min);
  if (at.tm_year == today.tm_year && at.tm_yday == today.tm_yday) return clock;
  return fmt::format("{:04}-{:02}-{:02} {}", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday, clock);
}

std::string asOfLine(const std::optional<double>& asOf, const std::string& run) {
  if (!asOf) return {};
  return fmt::format("  as of       {}; `roadtune attach {}` brings it up to date\n", clockWords(*asOf), run);
}

}  // namespace roadtune::cli
