// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <string>

namespace roadtune::remote {

// The folder of torch's libraries over there: as it is found, else installed by the machine itself, else copied from
// here. Others who bring it to the same home are waited for. `agent`: our program over there; `home`: ~/.roadtune.
Result<std::string> bringTorch(Session& session, const std::string& agent, const std::string& home,
                               ProgressSink* progress);

}  // namespace roadtune::remote
