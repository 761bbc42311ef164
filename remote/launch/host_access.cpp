// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_access.h"

#include <memory>
#include <mutex>

namespace roadtune::remote {

namespace {

Prompts oneAtATime(const Prompts& prompts) {
  const auto mutex = std::make_shared<std::mutex>();
  const auto guarded = [mutex](auto question) {
    return [mutex, question](auto&&... arguments) {
      const std::scoped_lock lock(*mutex);
      return question(arguments...);
    };
  };
  Prompts result;
  if (prompts.trustUnknownKey) result.trustUnknownKey = guarded(prompts.trustUnknownKey);
  if (prompts.passphrase) result.passphrase = guarded(prompts.passphrase);
  if (prompts.password) result.password = guarded(prompts.password);
  if (prompts.reply) result.reply = guarded(prompts.reply);
  if (prompts.note) result.note = guarded(prompts.note);
  if (prompts.refused) result.refused = guarded(prompts.refused);
  return result;
}

}  // namespace

HostAccess HostAccess::shared() const { return {config, oneAtATime(prompts)}; }

Result<HostAccess> HostAccess::load(Prompts prompts) {
  ROADTUNE_TRY(SshConfig config, SshConfig::load(SshConfig::defaultFile()));
  return HostAccess{std::move(config), std::move(prompts)};
}

Result<Session> HostAccess::connect(const std::string& host) const {
  ROADTUNE_TRY(const HostSpec spec, config.resolve(host));
  return Session::connect(spec, prompts, config);
}

}  // namespace roadtune::remote
