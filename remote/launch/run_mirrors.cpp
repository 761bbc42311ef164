// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_mirrors.h"

#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"

namespace roadtune::remote {

Result<RunMirrors> RunMirrors::open(const std::filesystem::path& run, const HostAccess& access) {
  RunMirrors mirrors;
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok()) return mirrors;  // a run without a manifest is one of this machine
  for (const auto& node : manifest.value().nodes) {
    if (node.address.empty()) continue;
    ROADTUNE_TRY(HostSpec host, access.config.resolve(node.address));
    mirrors.m_addresses.push_back(node.address);
    mirrors.m_mirrors.push_back(std::make_unique<Mirror>(
        MirrorSource{std::move(host), node.program, node.folder, node.node}, run, access.prompts, access.config));
  }
  return mirrors;
}

std::string RunMirrors::trouble() const {
  for (const auto& mirror : m_mirrors)
    if (mirror->state() == Mirror::State::Waiting) return mirror->lastError();
  return lost();
}

std::vector<RunMirrors::Trouble> RunMirrors::troubles() const {
  std::vector<Trouble> all;
  for (std::size_t i = 0; i < m_mirrors.size(); ++i)
    if (!m_mirrors[i]->reached()) all.push_back({m_addresses[i], m_mirrors[i]->lastError(), m_mirrors[i]->heard()});
  return all;
}

std::vector<std::string> RunMirrors::unreached() const {
  std::vector<std::string> machines;
  for (auto& trouble : troubles()) machines.push_back(std::move(trouble.machine));
  return machines;
}

std::string RunMirrors::lost() const {
  for (std::size_t i = 0; i < m_mirrors.size(); ++i)
    if (const std::string words = m_mirrors[i]->lost(); !words.empty()) return m_addresses[i] + ": " + words;
  return {};
}

}  // namespace roadtune::remote
