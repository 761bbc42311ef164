// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <functional>
#include <optional>

namespace roadtune {

// A file that one process at a time holds. The kernel lets go of it with the last descriptor, so nobody has to clear up
// after a process that died.

// Nothing when somebody else holds it.
Result<std::optional<UniqueFd>> tryLock(const fs::path& file);

// Waits for its turn, asking `goesOn` often; cancelled() when that says no.
Result<UniqueFd> waitForLock(const fs::path& file, const std::function<bool()>& goesOn = {});

}  // namespace roadtune
