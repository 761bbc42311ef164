// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_access.h"

#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/same_machine.h"

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

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

Result<HostAccess> HostAccess::loadFor(const std::filesystem::path& run, Prompts prompts) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  const bool here = !manifest.ok() || (!runsElsewhere(manifest.value()) && manifest.value().earlier.empty());
  if (here) return HostAccess{{}, std::move(prompts)};
  return load(std::move(prompts));
}

Status HostAccess::requireDistinct(const std::vector<std::string>& hosts) const {
  std::map<std::tuple<std::string, int, std::vector<std::string>>, std::string> names;
  for (const auto& host : hosts) {
    const auto spec = config.resolve(host);
    if (!spec.ok()) continue;  // whoever connects says why
    const auto [known, isNew] = names.try_emplace({spec.value().hostName, spec.value().port, spec.value().jumps}, host);
    if (!isNew) return sameMachine(known->second, host);
  }
  return {};
}

Result<Session> HostAccess::connect(const std::string& host) const {
  ROADTUNE_TRY(const HostSpec spec, config.resolve(host));
  return Session::connect(spec, prompts, config);
}

}  // namespace roadtune::remote
