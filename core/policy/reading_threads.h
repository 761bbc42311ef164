// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roadtune::policy {

// How many threads of a rank read ahead where nobody says: beside a GPU half of the cores that are this rank's, at most
// eight; on the CPU none, since the step itself takes all cores.
int readingThreads(bool onGpu, int cores, int ranksOnThisMachine);

}  // namespace roadtune::policy
