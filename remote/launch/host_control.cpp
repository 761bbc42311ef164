// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_control.h"

#include "core/base/text.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/last_word.h"
#include "remote/launch/in_parallel.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::remote {

namespace {

// Has the agent of this attempt said goodbye? One whose hello has not arrived yet has not, whatever an earlier one
// said. It is the last word of the file, so that one that goes on is not read whole each time somebody asks.
bool saidGoodbye(const std::filesystem::path& events, std::int64_t agent) {
  if (!lastWord(events)) return false;
  bool ended = false;
  std::int64_t speaker = 0;
  protocol::EventReader reader(events);
  [[maybe_unused]] const Status read = reader.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "hello") {
      ended = false;
      speaker = event.members.integerOr("pid", 0);
    }
    if (event.kind == "bye") ended = true;
  });
  return ended && speaker == agent;
}

}  // namespace

Result<std::vector<std::string>> leftThere(Session& session, const std::string& agent, const std::string& folder,
                                           int node, Leftovers wanted) {
  const auto ask = [&](const char* word) {
    return session.output(shellCommand({agent, word, folder, "--node", std::to_string(node)}));
  };
  ROADTUNE_TRY(std::string lines, ask("--left"));
  if (wanted == Leftovers::End && !lines.empty()) {
    ROADTUNE_TRY(lines, ask("--end"));
  }
  std::vector<std::string> left;
  for (auto& line : split(lines, '\n'))
    if (!line.empty()) left.push_back(std::move(line));
  return left;
}

bool isAliveElsewhere(const std::filesystem::path& run, const protocol::Manifest& manifest) {
  const protocol::RunLayout layout(run);
  for (const auto& node : manifest.nodes) {
    if (node.agentPid == protocol::kNoAgent) continue;
    if (node.agentPid == 0 || !saidGoodbye(layout.nodeEvents(node.node), node.agentPid)) return true;
  }
  return false;
}

namespace {

// A disk that is full takes no word; the agent hears a signal as "save and stop", and another one as "now".
bool signalStop(Session& session, const protocol::ManifestNode& node, protocol::ControlWord word) {
  const bool stops = word == protocol::ControlWord::Stop || word == protocol::ControlWord::StopNow;
  if (!stops || node.agentPid <= 0) return false;
  std::string script = fmt::format("set -- $(cat /proc/{0}/stat) && test \"${{22}}\" = {1} && kill -TERM {0}",
                                   node.agentPid, node.agentStart);
  if (word == protocol::ControlWord::StopNow) script += fmt::format(" && sleep 1 && kill -TERM {}", node.agentPid);
  const auto sent = session.run(script);
  return sent.ok() && sent.value().exitCode == 0;
}

Status leaveWord(const protocol::ManifestNode& node, const protocol::ControlCommand& command,
                 const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(node.address));
  ROADTUNE_TRY(const CommandResult result, session.run("cat >> " + shellQuote(node.folder + "/control"),
                                                       {.input = protocol::encodeControl(command) + "\n"}));
  if (result.exitCode == 0 || signalStop(session, node, command.word)) return {};
  return failed("cannot leave word for the run: " + std::string(trim(result.err)), node.address);
}

}  // namespace

Result<protocol::ControlReply> sendControlElsewhere(const protocol::Manifest& manifest,
                                                    const protocol::ControlCommand& command, const HostAccess& access) {
  // Ranks agree among themselves, so one node would be enough to save and to stop. But an agent that hangs, or a
  // machine that is cut off, must not keep a run from ending: a word to stop goes to all.
  const bool everywhere = command.word == protocol::ControlWord::StopNow || command.word == protocol::ControlWord::Stop;
  std::vector<const protocol::ManifestNode*> nodes;
  for (const auto& node : manifest.nodes)
    if ((everywhere || node.node == 0) && node.agentPid != protocol::kNoAgent) nodes.push_back(&node);
  const HostAccess shared = access.shared();
  std::vector<Status> told(nodes.size());
  inParallel(nodes.size(), [&](std::size_t i) { told[i] = leaveWord(*nodes[i], command, shared); });
  if (!told.empty() && std::none_of(told.begin(), told.end(), [](const Status& one) { return one.ok(); }))
    return told.front().error();
  return protocol::ControlReply{.id = command.id, .ok = true, .message = "left word on the machine"};
}

std::vector<NodeProof> proveGoneElsewhere(const protocol::Manifest& manifest, const HostAccess& access,
                                          Leftovers leftovers) {
  const HostAccess shared = access.shared();
  std::vector<NodeProof> proofs(manifest.nodes.size());
  inParallel(proofs.size(), [&](std::size_t i) {
    const auto& node = manifest.nodes[i];
    const auto ask = [&]() -> Result<std::vector<std::string>> {
      ROADTUNE_TRY(Session session, shared.connect(node.address));
      return leftThere(session, node.program, node.folder, node.node, leftovers);
    };
    auto left = ask();
    NodeProof& proof = proofs[i];
    proof = {.node = node.node, .host = node.address, .reached = left.ok()};
    proof.left = left.ok() ? std::move(left).value() : std::vector{"not known: " + left.error().text()};
    proof.gone = proof.left.empty();
  });
  return proofs;
}

}  // namespace roadtune::remote
