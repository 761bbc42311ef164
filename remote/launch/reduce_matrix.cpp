// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/reduce_matrix.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/check_step.h"
#include "remote/launch/host_nodes.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/meeting_address.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

namespace roadtune::remote {

using nlohmann::json;

namespace {

constexpr double kLimit = 95;           // seconds; a trainer ends before it, whatever it waits for
constexpr double kSlowPair = 4;         // than the quickest pair
constexpr double kWorthTelling = 0.02;  // seconds for 1 MB
constexpr const char* kFix =
    "open the ports between these machines, or set gloo_socket_ifname and nccl_socket_ifname to the network they share";

using Nodes = std::vector<std::optional<Result<HostNode>>>;

Result<HostNode> ready(const std::string& host, const HostAccess& access, const Bundle& bundle) {
  ROADTUNE_TRY(HostNode node, connectNode(host, access));
  ROADTUNE_TRY(node.deployed, findDeployed(node.session, bundle));
  return node;
}

Result<json> takePart(HostNode& node, std::size_t rank, std::size_t size, const std::string& master,
                      const std::string& neighbour, int port, CheckStep& step) {
  ROADTUNE_TRY(const std::string interface, interfaceTowards(node, neighbour));
  const std::string command = fmt::format(
      "LD_LIBRARY_PATH={} RANK={} WORLD_SIZE={} MASTER_ADDR={} MASTER_PORT={} GLOO_SOCKET_IFNAME={} "
      "NCCL_SOCKET_IFNAME={} OMP_NUM_THREADS=1 {} reduce",
      shellQuote(node.deployed.loadPath), rank, size, shellQuote(master), port, shellQuote(interface),
      shellQuote("=" + interface), shellQuote(node.deployed.trainer()));
  ROADTUNE_TRY(const std::string text, node.session.output(command, {.timeoutSeconds = kLimit,
                                                                     .stopRequested = [&] { return step.stopped(); }}));
  json told = json::parse(text, nullptr, false);
  if (!told.is_object() || !told.contains("pairs")) return failed("gives no understandable answer", node.name);
  return told;
}

// "b, c: no driver", by reason, of the machines that have one.
std::string reasonsOf(const std::vector<std::string>& hosts, const std::vector<std::string>& reasonByHost) {
  std::map<std::string, std::vector<std::string>> hostsByReason;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    if (!reasonByHost[i].empty()) hostsByReason[reasonByHost[i]].push_back(hosts[i]);
  std::vector<std::string> reasons;
  for (const auto& [reason, some] : hostsByReason)
    reasons.push_back(some.size() == hosts.size() ? reason : join(some, ", ") + ": " + reason);
  return join(reasons, "; ");
}

// What carried the sum: "NCCL", or "Gloo" and why not NCCL. All ranks tell the same.
std::string carrierOf(const std::vector<std::string>& hosts, const std::vector<json>& told, std::string& backend) {
  for (const auto& one : told) {
    if (!one.is_object() || !one.contains("backend")) continue;
    backend = one.at("backend").get<std::string>();
    if (backend == "nccl") return " over NCCL between graphics cards";
    const auto obstacles = one.value("obstacles", std::vector<std::string>{});
    if (obstacles.size() != hosts.size()) return " over Gloo";
    return " over Gloo; no NCCL: " + reasonsOf(hosts, obstacles);
  }
  return {};
}

// Both ends tell of a pair; the worse word counts.
struct PairSeen {
  double seconds = 0;
  std::string error;
};
std::map<std::pair<std::size_t, std::size_t>, PairSeen> pairsOf(const std::vector<json>& told) {
  std::map<std::pair<std::size_t, std::size_t>, PairSeen> pairs;
  for (std::size_t rank = 0; rank < told.size(); ++rank) {
    if (!told[rank].is_object()) continue;
    for (const auto& one : told[rank].at("pairs")) {
      const auto other = one.at("other").get<std::size_t>();
      PairSeen& seen = pairs[std::minmax(rank, other)];
      seen.seconds = std::max(seen.seconds, one.at("seconds").get<double>());
      if (seen.error.empty()) seen.error = one.at("error").get<std::string>();
    }
  }
  return pairs;
}

}  // namespace

std::vector<Check> judgeReduce(const std::vector<std::string>& hosts, const std::vector<json>& told,
                               const std::vector<std::string>& errors) {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    if (!errors[i].empty()) checks.push_back({"all-reduce " + hosts[i], Verdict::Bad, errors[i], kFix});
  const auto pairs = pairsOf(told);
  double quickest = 0;
  for (const auto& [pair, seen] : pairs)
    if (seen.error.empty() && (quickest == 0 || seen.seconds < quickest)) quickest = seen.seconds;
  for (const auto& [pair, seen] : pairs) {
    const std::string name = fmt::format("all-reduce {} ↔ {}", hosts[pair.first], hosts[pair.second]);
    if (!seen.error.empty())
      checks.push_back({name, Verdict::Bad, "they cannot add up: " + seen.error.substr(0, 120), kFix});
    else if (seen.seconds > kSlowPair * quickest && seen.seconds > kWorthTelling)
      checks.push_back(
          {name, Verdict::Doubtful,
           fmt::format("{} for 1 MB; {} is usual here", formatDuration(seen.seconds), formatDuration(quickest)),
           "a bad cable, a slow switch port or the wrong interface; this pair slows every step"});
  }
  double slowest = 0;
  std::string trouble;
  for (const auto& one : told) {
    if (!one.is_object()) continue;
    slowest = std::max(slowest, one.value("seconds", 0.0));
    if (trouble.empty()) trouble = one.value("error", "");
  }
  std::string backend;
  const std::string carrier = carrierOf(hosts, told, backend);
  Check all{"all-reduce",
            Verdict::Fine,
            fmt::format("{} machines add up 4 MB in {}{}", hosts.size(), formatDuration(slowest), carrier),
            {},
            backend};
  if (!trouble.empty())
    all = {"all-reduce", Verdict::Bad, "every pair can, all together cannot: " + trouble.substr(0, 120), kFix, backend};
  else if (slowest == 0)
    all = {"all-reduce", Verdict::Bad, "not all machines can add up with each other", "see the pairs below", backend};
  checks.insert(checks.begin(), std::move(all));
  return checks;
}

Result<std::vector<Check>> checkReduce(const std::vector<std::string>& hosts, const HostAccess& access,
                                       ProgressSink* progress) {
  CheckStep step(progress, "sum over pairs", 0, "machines");
  const auto untried = [](const std::string& why, const std::string& fix) {
    return std::vector<Check>{{"all-reduce", Verdict::Unknown, "not tried" + why, fix}};
  };
  const auto bundle = makeBundle();
  if (!bundle.ok()) return untried(": " + bundle.error().what, bundle.error().hint);
  const HostAccess shared = access.shared();
  Nodes nodes(hosts.size());
  inParallel(hosts.size(), [&](std::size_t i) { nodes[i] = ready(hosts[i], shared, bundle.value()); });
  std::vector<std::string> errors(hosts.size());
  for (std::size_t i = 0; i < hosts.size(); ++i)
    if (!nodes[i]->ok()) errors[i] = nodes[i]->error().what;
  if (const std::string reasons = reasonsOf(hosts, errors); !reasons.empty())
    return untried("; " + reasons, "the first run on these machines brings what is needed");
  if (step.stopped()) return cancelled();
  std::vector<Meeting> meetings;
  for (auto& node : nodes) meetings.push_back({node->value().name, &node->value().session, &node->value().address});
  if (const Status met = leaveLoopbacks(meetings); !met.ok())
    return untried(": " + met.error().text(), met.error().hint);
  const int port = 20000 + static_cast<int>(std::random_device{}() % 12000);
  const std::string master = nodes[0]->value().address, second = nodes[1]->value().address;
  std::vector<json> told(hosts.size());
  inParallel(hosts.size(), [&](std::size_t i) {
    auto answer = takePart(nodes[i]->value(), i, hosts.size(), master, i == 0 ? second : master, port, step);
    if (answer.ok())
      told[i] = std::move(answer).value();
    else
      errors[i] = answer.error().what;
  });
  if (step.stopped()) return cancelled();
  return judgeReduce(hosts, told, errors);
}

}  // namespace roadtune::remote
