// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/end_words.h"

#include <fmt/format.h>

#include <charconv>

namespace roadtune::runs {
namespace {

constexpr std::string_view kRank = "rank ", kFirst = " failed first: ", kSays = ": ";

}  // namespace

std::string plainEnd(std::string_view message, int processes) {
  if (!message.starts_with(kRank)) return std::string(message);
  const std::string_view number = message.substr(kRank.size());
  int rank = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), rank);
  if (read.ec != std::errc()) return std::string(message);
  const std::string_view rest = number.substr(static_cast<std::size_t>(read.ptr - number.data()));
  // " failed first: why", " on gpu2 failed first: why" or ": why".
  const bool says = rest.starts_with(kSays);
  const std::size_t at = says ? 0 : rest.find(kFirst);
  if (at == std::string_view::npos || (at > 0 && !rest.starts_with(" on "))) return std::string(message);
  const std::string_view between = says ? kSays : kFirst;
  const std::string_view why = rest.substr(at + between.size());
  if (processes <= 1) return std::string(why);
  return fmt::format("process {} of {}{}{}{}", rank + 1, processes, rest.substr(0, at), between, why);
}

std::string placedEnd(std::string_view message, int rank, std::string_view machine) {
  if (machine.empty()) return std::string(message);
  if (rank >= 0) return fmt::format("rank {} on {} failed first: {}", rank, machine, message);
  const std::size_t at = message.starts_with(kRank) ? message.find(kFirst) : std::string_view::npos;
  if (at == std::string_view::npos) return fmt::format("{}: {}", machine, message);
  return fmt::format("{} on {}{}", message.substr(0, at), machine, message.substr(at));
}

}  // namespace roadtune::runs
