// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/ssh/prompts.h"
#include "remote/ssh/session.h"
#include "remote/ssh/ssh_config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// How this user gets to other machines: their ssh_config, and who answers questions.
struct HostAccess {
  SshConfig config;
  Prompts prompts = {};

  static Result<HostAccess> load(Prompts prompts = {});
  // For what concerns one run. The ssh_config is not read for a run that never left this machine: what is wrong in it
  // is no reason to lose sight of that.
  static Result<HostAccess> loadFor(const std::filesystem::path& run, Prompts prompts = {});
  // For several threads at once: the same answers, but one question at a time.
  HostAccess shared() const;

  // Refuses two names of one machine, as far as ssh_config tells; same_machine.h knows more when it is connected.
  Status requireDistinct(const std::vector<std::string>& hosts) const;

  Result<Session> connect(const std::string& host) const;  // as typed: alias, user@alias:port
};

}  // namespace roadtune::remote
