// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/reading_threads.h"

#include <algorithm>

namespace roadtune::policy {

int readingThreads(bool onGpu, int cores, int ranksOnThisMachine) {
  return onGpu ? std::clamp(cores / (2 * std::max(1, ranksOnThisMachine)), 1, 8) : 0;
}

}  // namespace roadtune::policy
