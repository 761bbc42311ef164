// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/unique_fd.h"
#include "remote/agent/agent_options.h"

namespace roadtune::remote {

// The parent of an agent, asleep until it ends. An agent that ends by itself has cleared up. One that was killed
// leaves ranks behind: they notice the end of their input and save and stop; the guardian inherits them, gives them
// time, ends what is left, and writes down what happened. Holds the run's lock until nothing is left.
//
// Takes the calling process over (fork, signals) and returns the exit code of the job. One line goes to `ready`: the
// agent's ready line, or "!" exit code, space, message. No thread may have been started before.
int guardAgent(const AgentOptions& options, UniqueFd ready);

// The same in the background: returns when the ranks run (0, the ready line is on stdout) or when they could not be
// started (exit code, the reason is on stderr).
int launchInBackground(const AgentOptions& options);

}  // namespace roadtune::remote
