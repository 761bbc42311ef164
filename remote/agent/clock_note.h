// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace roadtune::remote {

// Whoever follows a run from another machine leaves word there how far the clocks differ: a line of JSON in
// clock-<node> of the run's folder, {"offset", "round_trip"} in seconds. The agent alone writes events, and takes it
// into them.
std::filesystem::path clockNoteFile(const std::filesystem::path& run, int node);
std::string clockNoteText(double offset, double roundTrip);

class ClockNote {
 public:
  ClockNote(const std::filesystem::path& run, int node);

  // The body of a `clock` event when there is news since the last look, or since this object was made.
  std::optional<nlohmann::json> news();

 private:
  std::filesystem::path m_file;
  std::filesystem::file_time_type m_seen;
};

}  // namespace roadtune::remote
