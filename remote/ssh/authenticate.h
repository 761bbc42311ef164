// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/host_spec.h"
#include "remote/ssh/prompts.h"

struct ssh_session_struct;

namespace roadtune::remote {

// Tries, in this order: none, the agent's keys (of identitiesOnly those that the key files name), key files,
// keyboard-interactive, password; again where the server wants more than one proof. The error lists what was
// tried and how each attempt ended.
Status authenticate(ssh_session_struct* session, const HostSpec& host, const Prompts& prompts);

}  // namespace roadtune::remote
