// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

namespace roadtune {

// Where programs keep things of this user, as the desktop's conventions have it: XDG_CACHE_HOME or ~/.cache, and so on;
// below the temporary folder for a user without a home.
fs::path userCacheFolder();
fs::path userDataFolder();
fs::path userConfigFolder();

}  // namespace roadtune
