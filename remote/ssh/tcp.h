// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <string>

namespace roadtune::remote {

// A connected TCP socket, or an error that tells "no such name" from "refused" from "no answer". After so many seconds
// of silence the other end is asked for a sign of life; 0: the usual pause.
Result<UniqueFd> connectTcp(const std::string& host, int port, double timeoutSeconds, int keepAliveSeconds = 0);

}  // namespace roadtune::remote
