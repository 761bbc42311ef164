// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roadtune::protocol {

inline constexpr int kFormatVersion = 1;                 // see FORMAT.md
inline constexpr std::size_t kMaxLineBytes = 16 * 1024;  // with the newline

// One line of an event file. `step` counts finished optimizer steps (0 before the first). `seq` starts at 0 in each
// file and grows by one per event. The kinds and their bodies are listed in FORMAT.md.
struct Event {
  int version = kFormatVersion;
  std::uint64_t seq = 0;
  double t = 0;     // wall clock, seconds since 1970
  double mono = 0;  // monotonic clock of that machine, seconds
  int rank = 0;     // of the rank, or the node in files of an agent
  std::int64_t step = 0;
  std::string kind;
  nlohmann::json body = nlohmann::json::object();
};

// One line, without the newline. Non-finite numbers become "nan", "inf", "-inf"; broken UTF-8 is repaired; a body
// too long for a line is cut at its longest texts and lists and then says "truncated": true.
std::string encode(const Event& event);

// The event of one complete line. Refuses what is not an event, and versions above ours with an advice.
Result<Event> decode(std::string_view line);

// A number as bodies hold it, and back: 0.5, "nan", "inf", "-inf". `fallback` when the key is absent or no number.
nlohmann::json number(double value);
double numberOr(const nlohmann::json& body, std::string_view key, double fallback);
std::int64_t integerOr(const nlohmann::json& body, std::string_view key, std::int64_t fallback);
std::string textOr(const nlohmann::json& body, std::string_view key, std::string fallback = {});

}  // namespace roadtune::protocol
