// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_control.h"

#include "core/base/text.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

namespace roadtune::remote {

namespace {

// Has the agent of this attempt said goodbye? One whose hello has not arrived yet has not, whatever an earlier one
// said.
bool saidGoodbye(const std::filesystem::path& events, std::int64_t agent) {
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

Result<protocol::ControlReply> sendControlElsewhere(const protocol::Manifest& manifest,
                                                    const protocol::ControlCommand& command, const HostAccess& access) {
  // Ranks agree among themselves on saving and stopping, so one node is enough; "now" leaves no time to agree.
  const bool everywhere = command.word == protocol::ControlWord::StopNow;
  const std::string line = protocol::encodeControl(command) + "\n";
  for (const auto& node : manifest.nodes) {
    if ((!everywhere && node.node != 0) || node.agentPid == protocol::kNoAgent) continue;
    ROADTUNE_TRY(Session session, access.connect(node.address));
    ROADTUNE_TRY(const CommandResult result,
                 session.run("cat >> " + shellQuote(node.folder + "/control"), {.input = line}));
    if (result.exitCode != 0)
      return failed("cannot leave word for the run: " + std::string(trim(result.err)), node.address);
  }
  return protocol::ControlReply{.id = command.id, .ok = true, .message = "left word on the machine"};
}

std::vector<NodeProof> proveGoneElsewhere(const protocol::Manifest& manifest, const HostAccess& access,
                                          Leftovers leftovers) {
  std::vector<NodeProof> proofs;
  for (const auto& node : manifest.nodes) {
    NodeProof proof{.node = node.node, .host = node.address};
    const auto ask = [&]() -> Result<std::vector<std::string>> {
      ROADTUNE_TRY(Session session, access.connect(node.address));
      return leftThere(session, node.program, node.folder, node.node, leftovers);
    };
    auto left = ask();
    if (left.ok())
      proof.left = std::move(left).value();
    else
      proof.left = {"not known: " + left.error().text()};
    proof.gone = proof.left.empty();
    proofs.push_back(std::move(proof));
  }
  return proofs;
}

}  // namespace roadtune::remote
