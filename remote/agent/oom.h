// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roadtune::remote {

// How many processes the kernel has killed for want of memory since it was started; 0 where it does not tell.
long oomKills();

}  // namespace roadtune::remote
