// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_lock.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace roadtune {

namespace {

Result<UniqueFd> openLock(const fs::path& file) {
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.valid()) return systemError("cannot be written to", file.string());
  return fd;
}

// An error where a file cannot be locked at all, as on some network file systems.
Result<bool> take(const UniqueFd& fd, const fs::path& file) {
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return systemError("cannot be locked", file.string());
  }
  return true;
}

}  // namespace

Result<std::optional<UniqueFd>> tryLock(const fs::path& file) {
  ROADTUNE_TRY(UniqueFd fd, openLock(file));
  ROADTUNE_TRY(const bool taken, take(fd, file));
  return taken ? std::optional<UniqueFd>(std::move(fd)) : std::nullopt;
}

// Most are held for a moment, some for hours: it looks often at first.
Result<UniqueFd> waitForLock(const fs::path& file, const std::function<bool()>& goesOn) {
  constexpr int kFirstPause = 5'000, kLongestPause = 200'000;  // microseconds
  ROADTUNE_TRY(UniqueFd fd, openLock(file));
  for (int pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    ROADTUNE_TRY(const bool taken, take(fd, file));
    if (taken) return fd;
    if (goesOn && !goesOn()) return cancelled();
    ::usleep(static_cast<useconds_t>(pause));
  }
}

}  // namespace roadtune
