// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>

namespace roadtune::remote {

// A machine as people name it to ssh.
struct SshTarget {
  std::string user;   // empty: not said
  std::string alias;  // without brackets
  int port = 0;       // 0: not said
};

// "alias", "user@alias:port", "[fe80::1]:port", "ssh://user@alias:port". Refuses what could pass for an option.
Result<SshTarget> parseSshTarget(const std::string& text);

}  // namespace roadtune::remote
