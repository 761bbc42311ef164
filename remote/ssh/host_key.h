// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/host_spec.h"
#include "remote/ssh/prompts.h"

#include <string_view>

struct ssh_session_struct;

namespace roadtune::remote {

// What the error of a key that changed holds.
inline constexpr std::string_view kHostKeyChanged = "HOST KEY CHANGED";

// Is the server the one we know? Unknown keys go to the user and, if trusted, into known_hosts; a key that changed, or
// a host known by another type of key, ends the connection.
Status checkHostKey(ssh_session_struct* session, const HostSpec& host, const Prompts& prompts);

}  // namespace roadtune::remote
