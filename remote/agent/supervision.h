// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roadtune::remote {

// What an agent does about ranks that stall or fail, beyond telling.
struct Supervision {
  double stallFactor = 20;    // a step that takes so many times the median is a stall; 0: never look
  double stallMinimum = 60;   // seconds that are never a stall, however fast the steps are
  double phaseMinimum = 600;  // the same for loading, evaluating, saving and the like
  bool endStalled = false;    // a stalled run is ended as failed; else only told
  int maxRestarts = 0;        // after a failure that may pass; for runs on one machine
};

}  // namespace roadtune::remote
