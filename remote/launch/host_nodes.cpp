// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_nodes.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/protocol/control.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/remote_sources.h"
#include "remote/launch/run_inputs.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace roadtune::remote {

namespace {

constexpr double kAnswerLimit = 90;

// Collectives must not guess the interface from the host name.
std::vector<std::pair<std::string, std::string>> withInterface(
    std::vector<std::pair<std::string, std::string>> environment, const std::string& interface) {
  for (const char* name : {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"})
    if (std::none_of(environment.begin(), environment.end(), [&](const auto& entry) { return entry.first == name; }))
      environment.emplace_back(name, interface);
  return environment;
}

Result<StartedAgent> startAgentThere(HostNode& node, const RankPlan& ranks, const HostStart& start,
                                     const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> words{node.deployed.agent()};
  for (auto& argument : agentArguments(node.folder, ranks, environment, start.supervision))
    words.push_back(std::move(argument));
  words.insert(words.end(), {"--trainer", node.deployed.trainer()});
  const std::string command =
      fmt::format("LD_LIBRARY_PATH={} {}", shellQuote(node.deployed.loadPath), shellCommand(words));
  ROADTUNE_TRY(const CommandResult result, node.session.run(command, {.timeoutSeconds = kAnswerLimit}));
  if (result.exitCode != 0) return failed("the agent did not start: " + std::string(trim(result.err)), node.name);
  return parseReadyLine(std::string(trim(result.out)));
}

protocol::ManifestNode describe(const HostNode& node, const RankPlan& ranks, const StartedAgent& agent) {
  return {.node = ranks.node,
          .host = node.hostName,
          .address = node.name,
          .folder = node.folder,
          .program = node.deployed.agent(),
          .processes = ranks.processes,
          .agentSocket = agent.socket,
          .agentPid = agent.agent.pid,
          .agentStart = agent.agent.startTicks};
}

Result<HostNode> prepareNode(const std::string& name, const std::map<std::string, std::string>& moved,
                             const HostAccess& access, const Bundle& bundle, ProgressSink* progress) {
  if (progress && !progress->report({"connecting", 0, 0, "machines", name})) return cancelled();
  ROADTUNE_TRY(HostNode node, connectNode(name, access));
  node.moved = moved;
  ROADTUNE_TRY(node.deployed, deploy(node.session, bundle, progress));
  return node;
}

}  // namespace

Result<HostNode> connectNode(const std::string& name, const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(name));
  HostNode node{name, std::move(session)};
  ROADTUNE_TRY(const std::string words, node.session.output("echo $SSH_CONNECTION; hostname"));
  const auto lines = split(words, '\n');
  const auto parts = split(lines[0], ' ');
  if (parts.size() != 4 || lines.size() < 2) return failed("gives no understandable answer: " + words, name);
  node.address = parts[2];
  node.hostName = lines[1];
  return node;
}

Result<std::string> interfaceTowards(HostNode& node, const std::string& address) {
  ROADTUNE_TRY(const std::string route, node.session.output("ip -o route get " + shellQuote(address)));
  const auto words = split(route, ' ');
  const auto dev = std::find(words.begin(), words.end(), "dev");
  if (dev == words.end() || dev + 1 == words.end()) return failed("no route to " + address, node.name);
  return std::string(trim(*(dev + 1)));
}

Result<std::vector<HostNode>> connectHosts(const std::vector<std::string>& hosts, const config::RunConfig& config,
                                           const HostAccess& access, ProgressSink* progress) {
  ROADTUNE_CHECK(refuseStorageSources(config));
  ROADTUNE_TRY(const Bundle bundle, makeBundle());
  ROADTUNE_TRY(const std::vector<InputGroup> groups, runInputs(config));
  ROADTUNE_TRY(const std::vector<HostInputs> inputs, inputsOn(hosts, groups, access, progress));
  ROADTUNE_CHECK(requireInputs(inputs));
  const HostAccess shared = access.shared();
  std::vector<std::optional<Result<HostNode>>> prepared(hosts.size());
  const auto prepare = [&](std::size_t i) {
    prepared[i] = prepareNode(hosts[i], inputs[i].moved, shared, bundle, progress);
  };
  // The first one alone: where all machines share a home, the others find in it what it has brought.
  if (!hosts.empty()) prepare(0);
  if (!hosts.empty() && prepared[0]->ok()) inParallel(hosts.size() - 1, [&](std::size_t i) { prepare(i + 1); });
  std::vector<HostNode> nodes;
  for (auto& node : prepared) {
    if (!node->ok()) return node->error();
    nodes.push_back(std::move(*node).value());
  }
  return nodes;
}

Status sendConfig(HostNode& node, config::Document document, const config::RunConfig& config) {
  ROADTUNE_CHECK(useMovedInputs(document, config, node.moved));
  return sendText(node, document.text(), node.folder + "/run.yaml");
}

Status makeFolderThere(HostNode& node, const std::string& runId, int number) {
  node.folder = fmt::format("{}/runs/{}/n{}", node.deployed.home, runId, number);
  const auto made =
      node.session.output("mkdir -p " + shellQuote(node.folder + "/events") + " " + shellQuote(node.folder + "/logs"));
  return made.ok() ? Status() : Status(made.error());
}

Result<std::string> manifestForNodes(const fs::path& run) {
  const fs::path file = protocol::RunLayout(run).manifest();
  ROADTUNE_TRY(const std::string text, readFile(file));
  auto manifest = nlohmann::json::parse(text, nullptr, false);
  if (!manifest.is_object()) return badInput("is no manifest", file.string());
  if (manifest.value("name", "").empty()) manifest["name"] = run.filename().string();
  return manifest.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Status sendText(HostNode& node, const std::string& text, const std::string& target) {
  ROADTUNE_TRY(const CommandResult result, node.session.run("cat > " + shellQuote(target), {.input = text}));
  if (result.exitCode == 0) return {};
  return failed("cannot write " + target + ": " + std::string(trim(result.err)), node.name,
                "check free space and permissions there");
}

Status startAgents(std::vector<HostNode>& nodes, const HostStart& start, protocol::Manifest& manifest,
                   StartedRun& started) {
  RankPlan ranks = start.ranks;
  ranks.nodes = static_cast<int>(nodes.size());
  ranks.worldSize = ranks.nodes * ranks.processes;
  if (!start.masterGiven && nodes.size() > 1) ranks.masterAddress = nodes.front().address;
  manifest.nodes.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ranks.node = static_cast<int>(i);
    ranks.firstRank = ranks.node * ranks.processes;
    auto environment = start.environment;
    if (nodes.size() > 1) {
      ROADTUNE_TRY(const std::string interface, interfaceTowards(nodes[i], nodes[i == 0 ? 1 : 0].address));
      environment = withInterface(std::move(environment), interface);
    }
    ROADTUNE_TRY(const StartedAgent agent, startAgentThere(nodes[i], ranks, start, environment));
    nodes[i].started = true;
    if (i == 0) {
      ranks.masterPort = agent.masterPort;
      started.agent = agent;
    }
    manifest.nodes.push_back(describe(nodes[i], ranks, agent));
  }
  manifest.worldSize = ranks.worldSize;
  manifest.masterAddress = ranks.masterAddress;
  manifest.masterPort = ranks.masterPort;
  return {};
}

void stopStarted(std::vector<HostNode>& nodes) {
  const std::string line = protocol::encodeControl({.word = protocol::ControlWord::StopNow}) + "\n";
  for (auto& node : nodes)
    if (node.started) [[maybe_unused]]
      const auto told =
          node.session.run("cat >> " + shellQuote(node.folder + "/control"), {.input = line, .timeoutSeconds = 10});
}

}  // namespace roadtune::remote
