// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>

namespace roadtune::remote {

// The two ends of a short look at the network between machines.
//
// The answering end listens on a free port of all interfaces, prints {"port":N}, and for `seconds` (or until its input
// is closed) answers callers that begin with the secret; others are hung up on. Its first input line is the secret.
int answerLinkProbes(double seconds);

// The calling end reads the secret from its input and prints one JSON object:
// {"ok":true,"latency_s":...,"bps":...} or {"ok":false,"error":"Connection refused"}. Takes at most about 3 s.
int callLinkProbe(const std::string& host, int port);

}  // namespace roadtune::remote
