// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/ssh/host_spec.h"
#include "tests/support/ssh_server.h"

#include <filesystem>

namespace roadtune::testing {

// The way to a throw-away sshd, at its own port or at that of a relay before it.
inline remote::HostSpec hostOf(const SshServer& server, const std::filesystem::path& knownHosts, int port = 0) {
  remote::HostSpec host;
  host.alias = host.hostName = "127.0.0.1";
  host.user = "root";
  host.port = port > 0 ? port : server.port();
  host.identityFiles = {server.userKey()};
  host.identitiesOnly = true;
  host.knownHostsFile = knownHosts;
  return host;
}

}  // namespace roadtune::testing
