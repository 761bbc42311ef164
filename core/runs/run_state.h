// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "core/runs/run_facts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::runs {

// A process that would speak up if the run were to end: an agent, or a rank that nobody looks after.
struct Witness {
  std::string host;
  std::int64_t pid = 0;
  std::uint64_t startTicks = 0;  // 0: not known
};

// What is known about how a run stands; the same for a store and for the quick look of the catalogue.
struct StateClues {
  bool started = false;        // there are events
  std::string endReason = {};  // of the run's bye; empty while none was said
  bool agentEnded = false;     // the agent said bye, or every process is known to be gone
  double lastEvent = 0;        // wall time of the latest event of any file
  std::vector<Witness> witnesses = {};
  double heard = 0;    // when the copy of what agents elsewhere write last grew, by the clock of this machine
  bool stale = false;  // it is on other machines, and nobody brings over what they write: silence means nothing
};

// Is the process alive? Only for this machine; another host's answer is Unknown.
enum class Alive { Yes, No, Unknown };
Alive isAlive(const Witness& witness);

// When the copy of what its agents write last grew here, in seconds since 1970; their clocks may be wrong. 0 for a run
// of this machine.
double lastHeard(const protocol::RunLayout& layout, const protocol::Manifest& manifest);

// Is the run on other machines, with nobody on this one following it?
bool isUnfollowed(const protocol::RunLayout& layout, const protocol::Manifest& manifest);

// Was a run on other machines started again from here, while nothing of that attempt has been brought over? Then what
// its files tell of an end is of the one before. `agent`: the last one of the first node that said hello.
bool isStartedAgain(const protocol::Manifest& manifest, std::int64_t agent);

// Seconds since 1970.
double secondsOf(fs::file_time_type time);

// When the files of such a run were last true, while they do not tell its end: the time of the latest event.
std::optional<double> staleSince(const StateClues& clues, RunState state);

RunState decideState(const StateClues& clues, double now, double lostAfterSeconds);

}  // namespace roadtune::runs
