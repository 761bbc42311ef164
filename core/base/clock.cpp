// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <ctime>

namespace roadtune {

namespace {

double read(clockid_t id) {
  timespec now{};
  ::clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string format(double seconds, const char* pattern) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, pattern, &parts)};
}

}  // namespace

double wallSeconds() { return read(CLOCK_REALTIME); }
double monotonicSeconds() { return read(CLOCK_MONOTONIC); }
std::string isoTime(double wallSeconds) { return format(wallSeconds, "%Y-%m-%dT%H:%M:%SZ"); }
std::string fileTime(double wallSeconds) { return format(wallSeconds, "%Y%m%d-%H%M%S"); }

}  // namespace roadtune
