// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <cstdint>
#include <string>

namespace roadtune::studio {

// A POSIX shell command that looks at a machine with what every Linux has, and nvidia-smi where there is a driver.
// Prints one tagged line per quantity.
const char* hostSampleCommand();

// Counters of the look before, from which rates come.
struct HostCounters {
  double time = 0;  // monotonic seconds here; 0: none yet
  std::uint64_t busy = 0, all = 0, diskRead = 0, diskWrite = 0, received = 0, sent = 0;
};

// What the command printed. Lines that are missing or garbled leave their quantity at zero. Updates `counters`.
widgets::MachineReading parseHostSample(const std::string& text, double now, HostCounters& counters);

// By how many seconds the clock over there is ahead of ours at least, given when the command was sent and when its
// answer was there by ours; negative: behind; 0: it may be right.
double clockAhead(const std::string& text, double asked, double answered);

}  // namespace roadtune::studio
