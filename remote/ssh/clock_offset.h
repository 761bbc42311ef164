// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/session.h"

namespace roadtune::remote {

struct ClockReading {
  double offset = 0;     // seconds that the clock over there is ahead of ours
  double roundTrip = 0;  // seconds; the offset is known to half of it
};

// Asks a few times and believes the quickest answer: half its way is what it is late by.
Result<ClockReading> readClockOf(Session& session);

}  // namespace roadtune::remote
