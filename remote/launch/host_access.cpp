// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_access.h"

namespace roadtune::remote {

Result<HostAccess> HostAccess::load(Prompts prompts) {
  ROADTUNE_TRY(SshConfig config, SshConfig::load(SshConfig::defaultFile()));
  return HostAccess{std::move(config), std::move(prompts)};
}

Result<Session> HostAccess::connect(const std::string& host) const {
  ROADTUNE_TRY(const HostSpec spec, config.resolve(host));
  return Session::connect(spec, prompts, config);
}

}  // namespace roadtune::remote
