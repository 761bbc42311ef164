// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/this_user.h"

#include <cstdlib>

namespace roadtune {
namespace {

fs::path userFolder(const char* variable, const char* belowHome) {
  if (const char* given = std::getenv(variable); given && *given) return given;
  const char* home = std::getenv("HOME");
  return (home && *home ? fs::path(home) : fs::temp_directory_path()) / belowHome;
}

}  // namespace

fs::path userCacheFolder() { return userFolder("XDG_CACHE_HOME", ".cache"); }
fs::path userDataFolder() { return userFolder("XDG_DATA_HOME", ".local/share"); }
fs::path userConfigFolder() { return userFolder("XDG_CONFIG_HOME", ".config"); }

}  // namespace roadtune
