// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/clock_offset.h"

#include "core/base/clock.h"

#include <cstdlib>

namespace roadtune::remote {

Result<ClockReading> readClockOf(Session& session) {
  ClockReading best;
  for (int i = 0; i < 3; ++i) {
    const double began = wallSeconds();
    ROADTUNE_TRY(const std::string clock, session.output("date +%s.%N"));
    const double ended = wallSeconds();
    if (i > 0 && ended - began >= best.roundTrip) continue;
    best = {std::strtod(clock.c_str(), nullptr) - (began + ended) / 2, ended - began};
  }
  return best;
}

}  // namespace roadtune::remote
