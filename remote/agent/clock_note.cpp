// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/clock_note.h"

#include "core/base/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::remote {

using nlohmann::json;

fs::path clockNoteFile(const fs::path& run, int node) { return run / fmt::format("clock-{:02}", node); }

std::string clockNoteText(double offset, double roundTrip) {
  return json{{"offset", offset}, {"round_trip", roundTrip}}.dump() + "\n";
}

ClockNote::ClockNote(const fs::path& run, int node) : m_file(clockNoteFile(run, node)) {
  std::error_code absent;
  m_seen = fs::last_write_time(m_file, absent);
}

std::optional<json> ClockNote::news() {
  std::error_code absent;
  const auto written = fs::last_write_time(m_file, absent);
  if (absent || written == m_seen) return std::nullopt;
  json told = json::parse(readFile(m_file).valueOr(""), nullptr, false);
  if (!told.is_object() || !told.value("offset", json()).is_number()) return std::nullopt;  // half written: later
  m_seen = written;
  return told;
}

}  // namespace roadtune::remote
