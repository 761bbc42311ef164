// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <string>

namespace roadtune::remote {

// A connected TCP socket, or an error that tells "no such name" from "refused" from "no answer". After so many seconds
// of silence the other end is asked for a sign of life; 0: the usual pause.
Result<UniqueFd> connectTcp(const std::string& host, int port, double timeoutSeconds, int keepAliveSeconds = 0);

// Does an error say that a machine did not answer? It may be off, or starting.
bool tellsOfSilence(const Error& error);

}  // namespace roadtune::remote
