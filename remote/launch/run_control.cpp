// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_control.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/control_client.h"
#include "remote/agent/control_server.h"
#include "remote/agent/leftovers.h"
#include "remote/launch/cut_start.h"
#include "remote/launch/host_control.h"
#include "remote/launch/self_led_run.h"

#include <fmt/format.h>

namespace roadtune::remote {

namespace {

// The socket the agent told of itself; the one it would have, when there is no manifest.
Result<fs::path> socketOf(const fs::path& run) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (manifest.ok())
    for (const auto& node : manifest.value().nodes)
      if (node.node == 0 && !node.agentSocket.empty()) return fs::path(node.agentSocket);
  return agentSocketPath(run, 0);
}

// The manifest of a run on other machines; nothing for a run of this one.
std::optional<protocol::Manifest> elsewhere(const fs::path& run) {
  auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok() || !runsElsewhere(manifest.value())) return std::nullopt;
  return std::move(manifest).value();
}

}  // namespace

bool isAlive(const fs::path& run) {
  if (const auto manifest = elsewhere(run)) return isAliveElsewhere(run, *manifest);
  if (isSelfLed(run)) return isSelfLedAlive(run);
  for (const int node : protocol::RunLayout(run).nodesWithEvents())
    if (AgentLock::holder(run, node)) return true;
  return AgentLock::holder(run, 0).has_value();
}

Result<protocol::ControlReply> sendControl(const fs::path& run, protocol::ControlCommand command,
                                           const Prompts& prompts) {
  if (!isAlive(run)) return failed("the run is not going on", run.string(), "roadtune runs show tells how it ended");
  if (command.id.empty()) command.id = fmt::format("{}-{:.6f}", ::getpid(), wallSeconds());
  if (elsewhere(run)) {
    ROADTUNE_TRY(const HostAccess access, HostAccess::load(prompts));
    ROADTUNE_CHECK(closeStart(run, access));
    ROADTUNE_TRY(const protocol::Manifest manifest, protocol::readManifest(protocol::RunLayout(run).manifest()));
    if (!isAliveElsewhere(run, manifest)) return failed("the run is not going on", run.string());
    return sendControlElsewhere(manifest, command, access);
  }
  const std::string line = protocol::encodeControl(command);
  std::string why;
  if (!isSelfLed(run)) {
    ROADTUNE_TRY(const fs::path socket, socketOf(run));
    const auto reply = askSocket(socket, line, "the agent");
    if (reply.ok()) return protocol::parseReplyLine(reply.value());
    why = reply.error().text() + "; ";
  }
  ROADTUNE_TRY(AppendFile file, AppendFile::open(protocol::RunLayout(run).control()));
  ROADTUNE_CHECK(file.append(line + "\n"));
  return protocol::ControlReply{.id = command.id, .ok = true, .message = why + "left word in the run's control file"};
}

namespace {

// What a node's agent has said of its cards in its last words.
std::optional<bool> gpuFree(const fs::path& events) {
  std::optional<bool> free;
  protocol::EventReader reader(events);
  [[maybe_unused]] const Status read = reader.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "hello") free.reset();
    if (event.kind == "bye" && event.members.find("gpu_left")) free = event.members.integerOr("gpu_left", 0) == 0;
  });
  return free;
}

std::vector<NodeProof> lookForProcesses(const fs::path& run, const Prompts& prompts, Leftovers wanted) {
  constexpr double kGrace = 5;  // seconds
  if (const auto manifest = elsewhere(run))
    if (const auto access = HostAccess::load(prompts); access.ok())
      return proveGoneElsewhere(*manifest, access.value(), wanted);
  if (isSelfLed(run)) return proveSelfLedGone(run);
  const protocol::RunLayout layout(run);
  std::vector<NodeProof> proofs;
  for (const int node : layout.nodesWithEvents()) {
    if (wanted == Leftovers::End) endLeftovers(run, node, kGrace);
    NodeProof proof{.node = node, .host = hostName()};
    proof.left = leftovers(run, node);
    proof.gone = proof.left.empty();
    proofs.push_back(std::move(proof));
  }
  return proofs;
}

}  // namespace

std::vector<NodeProof> proveGone(const fs::path& run, const Prompts& prompts, Leftovers leftovers) {
  auto proofs = lookForProcesses(run, prompts, leftovers);
  for (auto& proof : proofs) proof.gpuFree = gpuFree(protocol::RunLayout(run).nodeEvents(proof.node));
  return proofs;
}

std::vector<std::string> unreached(const std::vector<NodeProof>& proofs) {
  std::vector<std::string> machines;
  for (const auto& proof : proofs)
    if (!proof.reached) machines.push_back(proof.host);
  return machines;
}

}  // namespace roadtune::remote
