// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/cut_start.h"

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/base/text.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/host_control.h"
#include "remote/launch/run_folder.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr double kStartPatience = 120;     // for another program that is starting the run
constexpr double kNamePatience = 10;       // for an agent that lives and has not named itself
constexpr double kLookAgain = 1;           // a word on its way to the machine may still start one
constexpr useconds_t kAskPause = 200'000;  // microseconds

// What the agent of this start has written into the manifest over there; pid 0 when there is none.
Result<protocol::ManifestNode> agentThere(Session& session, const protocol::ManifestNode& node) {
  const std::string file = node.folder + "/manifest.json";
  ROADTUNE_TRY(const std::string text, session.output("cat " + shellQuote(file) + " 2>/dev/null; true"));
  protocol::ManifestNode found = node;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto manifest = protocol::manifestFromJson(json, node.address + ":" + file);
  if (!manifest.ok()) return found;  // the start did not come so far
  for (const auto& there : manifest.value().nodes) {
    if (there.node != node.node || there.agentPid <= 0) continue;
    found.agentPid = there.agentPid;
    found.agentStart = there.agentStart;
    found.agentSocket = there.agentSocket;
  }
  return found;
}

Result<protocol::ManifestNode> ask(const protocol::ManifestNode& node, const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(node.address));
  const double began = monotonicSeconds();
  while (true) {
    ROADTUNE_TRY(const auto left, leftThere(session, node.program, node.folder, node.node));
    ROADTUNE_TRY(protocol::ManifestNode found, agentThere(session, node));
    if (found.agentPid > 0) return found;
    const double waited = monotonicSeconds() - began;
    if (left.empty() && waited > kLookAgain) {
      found.agentPid = protocol::kNoAgent;
      return found;
    }
    if (waited > kNamePatience)
      return failed("something of the run lives there and does not say what it is: " + left.front(), node.address,
                    "try again in a moment");
    ::usleep(kAskPause);
  }
}

bool hasAgent(const protocol::ManifestNode& node) { return node.agentPid > 0; }

}  // namespace

bool isStartOpen(const protocol::Manifest& manifest) {
  return std::any_of(manifest.nodes.begin(), manifest.nodes.end(),
                     [](const auto& node) { return !node.address.empty() && node.agentPid == 0; });
}

Status closeStart(const fs::path& run, const HostAccess& access) {
  const protocol::RunLayout layout(run);
  if (const auto seen = protocol::readManifest(layout.manifest()); !seen.ok() || !isStartOpen(seen.value())) return {};
  const double deadline = monotonicSeconds() + kStartPatience;
  const auto turn = waitForLock(startLock(run), [deadline] { return monotonicSeconds() < deadline; });
  if (!turn.ok()) return failed("another program is still starting this run", run.string(), "try again in a moment");
  ROADTUNE_TRY(protocol::Manifest manifest, protocol::readManifest(layout.manifest()));
  if (!isStartOpen(manifest)) return {};
  for (auto& node : manifest.nodes)
    if (!node.address.empty() && node.agentPid == 0) {
      ROADTUNE_TRY(node, ask(node, access));
    }
  ROADTUNE_CHECK(protocol::writeManifest(layout.manifest(), manifest));
  if (std::none_of(manifest.nodes.begin(), manifest.nodes.end(), hasAgent) && layout.nodesWithEvents().empty())
    sayNeverBegan(run, failed("its start was cut before anything ran"));
  return {};
}

Status requireWholeStart(const fs::path& run) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok()) return {};
  const auto& nodes = manifest.value().nodes;
  std::vector<std::string> without;
  for (const auto& node : nodes)
    if (node.agentPid == protocol::kNoAgent) without.push_back(node.address);
  if (without.empty()) return {};
  if (without.size() == nodes.size())
    return failed("its start was cut before anything ran", run.string(),
                  fmt::format("roadtune resume {}, or start it again", shellQuote(run.string())));
  return failed(
      fmt::format("its start was cut before anything ran on {}, and the others wait for that", join(without, ", ")),
      run.string(), fmt::format("roadtune stop {} --now, then start or resume it again", shellQuote(run.string())));
}

}  // namespace roadtune::remote
