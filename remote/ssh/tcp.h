// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <string>

namespace roadtune::remote {

// A connected TCP socket, or an error that tells "no such name" from "refused" from "no answer".
Result<UniqueFd> connectTcp(const std::string& host, int port, double timeoutSeconds);

}  // namespace roadtune::remote
