// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::remote {

// Where and how to reach a machine by SSH, after ssh_config was applied.
struct HostSpec {
  std::string alias;     // as the user typed it
  std::string hostName;  // what is connected to
  std::string user;
  int port = 22;
  std::vector<std::string> identityFiles;             // in the order they are tried
  bool identitiesOnly = false;                        // no agent keys beyond the files
  std::string knownHostsFile;                         // "~/.ssh/known_hosts" expanded; new keys are stored there
  std::vector<std::string> moreKnownHostsFiles = {};  // that may know the host as well
  std::string globalKnownHostsFile = "/etc/ssh/ssh_known_hosts";
  std::string hostKeyAlias;        // name to look up in known_hosts, when not hostName
  std::vector<std::string> jumps;  // aliases of the hosts in between, nearest first
  int connectTimeoutSeconds = 15;
  int keepAliveSeconds = 15;       // of silence, until the other end is asked for a sign of life
  std::vector<std::string> notes;  // keywords of ssh_config that were seen and are not supported, one line each

  std::string label() const;  // "user@host:port", for messages
};

}  // namespace roadtune::remote
