// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_nodes.h"

#include "core/base/clock.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/protocol/control.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_options.h"
#include "remote/launch/host_control.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/joint_progress.h"
#include "remote/launch/meeting_address.h"
#include "remote/launch/remote_sources.h"
#include "remote/launch/run_inputs.h"
#include "remote/launch/shared_places.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace roadtune::remote {

namespace {

constexpr double kAnswerLimit = 90;

// Collectives must not guess the interface from the host name. NCCL takes a bare name for the beginning of one.
std::vector<std::pair<std::string, std::string>> withInterface(
    std::vector<std::pair<std::string, std::string>> environment, const std::string& interface) {
  for (const auto& [name, value] :
       {std::pair("GLOO_SOCKET_IFNAME", interface), std::pair("NCCL_SOCKET_IFNAME", "=" + interface)})
    if (std::none_of(environment.begin(), environment.end(), [&](const auto& entry) { return entry.first == name; }))
      environment.emplace_back(name, value);
  return environment;
}

Result<StartedAgent> startAgentThere(HostNode& node, const RankPlan& ranks, const HostStart& start,
                                     const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> words{node.deployed.agent()};
  for (auto& argument : agentArguments(node.folder, ranks, start.supervision)) words.push_back(std::move(argument));
  words.insert(words.end(), {"--trainer", node.deployed.trainer()});
  const std::string command =
      fmt::format("LD_LIBRARY_PATH={} {}", shellQuote(node.deployed.loadPath), shellCommand(words));
  ROADTUNE_TRY(const CommandResult result,
               node.session.run(command, {.input = variablesText(environment), .timeoutSeconds = kAnswerLimit}));
  if (result.exitCode != 0) return failed("the agent did not start: " + std::string(trim(result.err)), node.name);
  return parseReadyLine(std::string(trim(result.out)));
}

protocol::ManifestNode describe(const HostNode& node, int number, int processes) {
  return {.node = number,
          .host = node.hostName,
          .address = node.name,
          .folder = node.folder,
          .program = node.deployed.agent(),
          .processes = processes};
}

}  // namespace

Result<HostNode> connectNode(const std::string& name, const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(name));
  HostNode node{name, std::move(session)};
  ROADTUNE_TRY(const std::string words, node.session.output("echo $SSH_CONNECTION; hostname; echo \"$HOME\""));
  const auto lines = split(words, '\n');
  const auto parts = split(lines[0], ' ');
  if (parts.size() != 4 || lines.size() < 3) return failed("gives no understandable answer: " + words, name);
  node.address = parts[2];
  node.hostName = lines[1];
  node.home = lines[2];
  return node;
}

Result<std::string> interfaceTowards(HostNode& node, const std::string& address) {
  return wayTo(node.session, address, "dev", node.name);
}

Status wake(HostNode& node, const HostAccess& access) {
  constexpr double kAnswerOfLiving = 10;  // seconds
  if (node.session.output("true", {.timeoutSeconds = kAnswerOfLiving}).ok()) return {};
  ROADTUNE_TRY(node.session, access.connect(node.name));
  return {};
}

Status wakeAll(std::vector<HostNode>& nodes, const HostAccess& access) {
  const HostAccess shared = access.shared();
  std::vector<Status> woken(nodes.size());
  inParallel(nodes.size(), [&](std::size_t i) { woken[i] = wake(nodes[i], shared); });
  for (const Status& one : woken) ROADTUNE_CHECK(one);
  return {};
}

namespace {

using Nodes = std::vector<std::optional<Result<HostNode>>>;

Nodes connectAll(const std::vector<std::string>& hosts, const HostAccess& access, ProgressSink* progress) {
  const HostAccess shared = access.shared();
  Nodes nodes(hosts.size());
  inParallel(hosts.size(), [&](std::size_t i) {
    if (progress && !progress->report({"connecting", 0, 0, "machines", hosts[i]}))
      nodes[i] = cancelled();
    else
      nodes[i] = connectNode(hosts[i], shared);
  });
  return nodes;
}

// All at once; where machines share a home, one after the other, and those behind find in it what the first has
// brought. When one fails the others end; what has arrived stays.
void deployAll(Nodes& nodes, const Bundle& bundle, ProgressSink* progress) {
  std::vector<WritePlace> places;
  for (auto& node : nodes) places.push_back({&node->value().session, {node->value().home + "/.roadtune"}});
  StageOfAll all(progress, "copying torch", nodes.size());
  const auto groups = groupsSharingPlaces(places);
  inParallel(groups.size(), [&](std::size_t group) {
    for (const std::size_t i : groups[group]) {
      PartOfStage part(all, i);
      auto deployed = deploy(nodes[i]->value().session, bundle, &part);
      if (deployed.ok()) {
        nodes[i]->value().deployed = std::move(deployed).value();
        continue;
      }
      nodes[i] = deployed.error();
      all.stop();
      break;
    }
  });
}

// What went wrong first of all: that others were told to end then is no news.
Status troubleOf(const Nodes& nodes) {
  Status trouble;
  for (const auto& node : nodes)
    if (!node->ok() && (trouble.ok() || trouble.error().kind == ErrorKind::Cancelled)) trouble = node->error();
  return trouble;
}

}  // namespace

Result<std::vector<HostNode>> connectHosts(const std::vector<std::string>& hosts, const config::RunConfig& config,
                                           const HostAccess& access, ProgressSink* progress) {
  ROADTUNE_CHECK(access.requireDistinct(hosts));
  ROADTUNE_CHECK(refuseStorageSources(config));
  ROADTUNE_TRY(const Bundle bundle, makeBundle());
  ROADTUNE_TRY(const std::vector<InputGroup> groups, runInputs(config));
  ROADTUNE_TRY(const std::vector<HostInputs> inputs, inputsOn(hosts, groups, access, progress));
  ROADTUNE_CHECK(requireInputs(inputs));
  Nodes prepared = connectAll(hosts, access, progress);
  ROADTUNE_CHECK(troubleOf(prepared));
  deployAll(prepared, bundle, progress);
  ROADTUNE_CHECK(troubleOf(prepared));
  std::vector<HostNode> nodes;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    nodes.push_back(std::move(*prepared[i]).value());
    nodes.back().moved = inputs[i].moved;
  }
  ROADTUNE_CHECK(wakeAll(nodes, access));  // those that had what the last one still waited for
  std::vector<Meeting> meetings;
  for (auto& node : nodes) meetings.push_back({node.name, &node.session, &node.address});
  ROADTUNE_CHECK(leaveLoopbacks(meetings));
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

std::string manifestForNodes(const fs::path& run, protocol::Manifest manifest) {
  if (manifest.name.empty()) manifest.name = run.filename().string();
  manifest.nodes.clear();
  return jsonText(protocol::toJson(manifest)) + "\n";
}

Status sendText(HostNode& node, const std::string& text, const std::string& target) {
  ROADTUNE_TRY(const CommandResult result, node.session.run("umask 077; cat > " + shellQuote(target), {.input = text}));
  if (result.exitCode == 0) return {};
  return failed("cannot write " + target + ": " + std::string(trim(result.err)), node.name,
                "check free space and permissions there");
}

namespace {

// How the ranks are spread, but for what differs from node to node.
RankPlan ranksOf(const std::vector<HostNode>& nodes, const HostStart& start) {
  RankPlan ranks = start.ranks;
  ranks.nodes = static_cast<int>(nodes.size());
  ranks.worldSize = ranks.nodes * ranks.processes;
  if (!start.masterGiven && nodes.size() > 1) ranks.masterAddress = nodes.front().address;
  return ranks;
}

}  // namespace

void nameNodes(const std::vector<HostNode>& nodes, const HostStart& start, protocol::Manifest& manifest) {
  const RankPlan ranks = ranksOf(nodes, start);
  manifest.nodes.clear();
  for (const auto& node : nodes)
    manifest.nodes.push_back(describe(node, static_cast<int>(manifest.nodes.size()), ranks.processes));
  manifest.worldSize = ranks.worldSize;
  manifest.masterAddress = ranks.masterAddress;
}

Status startAgents(std::vector<HostNode>& nodes, const HostStart& start, protocol::Manifest& manifest,
                   StartedRun& started) {
  RankPlan ranks = ranksOf(nodes, start);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ranks.node = static_cast<int>(i);
    ranks.firstRank = ranks.node * ranks.processes;
    auto environment = start.environment;
    if (nodes.size() > 1) {
      ROADTUNE_TRY(const std::string interface, interfaceTowards(nodes[i], nodes[i == 0 ? 1 : 0].address));
      environment = withInterface(std::move(environment), interface);
    }
    nodes[i].begun = true;
    ROADTUNE_TRY(const StartedAgent agent, startAgentThere(nodes[i], ranks, start, environment));
    if (i == 0) {
      ranks.masterPort = agent.masterPort;
      started.agent = agent;
    }
    manifest.nodes[i].agentSocket = agent.socket;
    manifest.nodes[i].agentPid = agent.agent.pid;
    manifest.nodes[i].agentStart = agent.agent.startTicks;
  }
  manifest.masterPort = ranks.masterPort;
  return {};
}

namespace {

// Returns the machines that could not say that nothing is left.
std::vector<std::string> endBegun(std::vector<HostNode>& nodes) {
  constexpr double kPatience = 20;         // "stop now" takes a few seconds
  constexpr useconds_t kGlance = 200'000;  // microseconds
  const std::string line = protocol::encodeControl({.word = protocol::ControlWord::StopNow}) + "\n";
  std::vector<std::string> left;
  for (auto& node : nodes)
    if (node.begun) [[maybe_unused]]
      const auto told =
          node.session.run("cat >> " + shellQuote(node.folder + "/control"), {.input = line, .timeoutSeconds = 10});
  const double deadline = monotonicSeconds() + kPatience;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto& node = nodes[i];
    for (bool gone = !node.begun; !gone; ::usleep(kGlance)) {
      const auto lines = leftThere(node.session, node.deployed.agent(), node.folder, static_cast<int>(i));
      gone = lines.ok() && lines.value().empty();
      if (gone || (lines.ok() && monotonicSeconds() < deadline)) continue;
      left.push_back(node.name);
      break;
    }
  }
  return left;
}

}  // namespace

Status takeBack(std::vector<HostNode>& nodes, const fs::path& run, const protocol::Manifest& before,
                const protocol::Manifest& named, const Error& cause) {
  const fs::path file = protocol::RunLayout(run).manifest();
  const auto left = endBegun(nodes);
  if (left.empty()) return protocol::writeManifest(file, before);
  Error error = cause;
  error.what +=
      fmt::format("; what was started on {} may still run: roadtune stop {} --now", join(left, ", "), run.string());
  [[maybe_unused]] const Status written = protocol::writeManifest(file, named);
  return error;
}

}  // namespace roadtune::remote
