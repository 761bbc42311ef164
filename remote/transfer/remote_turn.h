// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/remote_process.h"

#include <string>

namespace roadtune::remote {

inline constexpr double kSilenceOfATurn = 60;  // seconds; who waits over there says so every second

// Waits until nobody else fills a folder over there, and keeps others waiting as long as the answer lives: a lock on
// `folder`.lock, for all machines that share it. A holder whose connection was cut may keep the lock for hours; nobody
// waits for one that has written nothing in two minutes. Without flock(1) there, nobody waits. A machine that says
// nothing at all is given up after a minute.
Result<RemoteProcess> waitForTurn(Session& session, const std::string& folder, ProgressSink* progress,
                                  double silence = kSilenceOfATurn);

}  // namespace roadtune::remote
