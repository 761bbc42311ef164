// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace roadtune {

Result<std::optional<UniqueFd>> tryLock(const fs::path& file) {
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.valid()) return systemError("cannot be written to", file.string());
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return std::optional<UniqueFd>();
  return std::optional<UniqueFd>(std::move(fd));
}

Result<UniqueFd> waitForLock(const fs::path& file, const std::function<bool()>& goesOn) {
  constexpr int kPauseMicroseconds = 20'000;
  while (true) {
    ROADTUNE_TRY(auto lock, tryLock(file));
    if (lock) return std::move(*lock);
    if (goesOn && !goesOn()) return cancelled();
    ::usleep(kPauseMicroseconds);
  }
}

}  // namespace roadtune
