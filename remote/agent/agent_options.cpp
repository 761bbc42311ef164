// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/agent_options.h"

#include "core/base/text.h"

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>

namespace roadtune::remote {

std::string agentHelp() {
  return R"(usage: roadtune-agent --run DIR [options] [-- arguments added to the ranks' command]

Starts the ranks of one machine for one run, keeps their logs, samples the machine, answers control words.
Prints one JSON line when the ranks are started and goes on by itself.

  --run DIR             the run's folder, with run.yaml
  --nproc-per-node N    ranks on this machine                       (1)
  --node N              number of this machine                      (0)
  --nnodes N            machines in all                             (1)
  --first-rank N        rank of the first process here              (node x nproc-per-node)
  --world-size N        ranks in all                                (nnodes x nproc-per-node)
  --master-addr HOST    where the ranks meet                        (127.0.0.1)
  --master-port PORT    on which port                               (a free one)
  --trainer PROGRAM     what a rank runs                            (roadtune-train beside this program)
  --env NAME=VALUE      a variable for the ranks; may be repeated
  --foreground          stay with the caller instead of going into the background
  --sample-interval S   between two looks at the machine            (1)
  --stop-grace S        from "save and stop" to SIGTERM             (900)
  --kill-grace S        from SIGTERM to SIGKILL                     (10)
  --orphan-grace S      for ranks whose agent was killed            (30)

SIGTERM: save and stop. Twice: stop now.
)";
}

namespace {

Status setInteger(int& target, const std::string& name, const std::string& value, int least) {
  char* end = nullptr;
  errno = 0;
  const long number = std::strtol(value.c_str(), &end, 10);
  if (value.empty() || *end || errno || number < least || number > 1'000'000)
    return badInput("'" + value + "' is not a number of at least " + std::to_string(least), name);
  target = static_cast<int>(number);
  return {};
}

Status setSeconds(double& target, const std::string& name, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end || !(number >= 0)) return badInput("'" + value + "' is not a time in seconds", name);
  target = number;
  return {};
}

}  // namespace

Result<AgentOptions> parseAgentOptions(const std::vector<std::string>& arguments) {
  AgentOptions options;
  int firstRank = -1, worldSize = -1;
  std::string trainer;
  using Setter = std::function<Status(const std::string&)>;
  const auto integer = [](int& target, const char* name, int least) -> Setter {
    return [&target, name, least](const std::string& value) { return setInteger(target, name, value, least); };
  };
  const auto seconds = [](double& target, const char* name) -> Setter {
    return [&target, name](const std::string& value) { return setSeconds(target, name, value); };
  };
  const auto variable = [&options](const std::string& value) -> Status {
    const auto equals = value.find('=');
    if (equals == 0 || equals == std::string::npos) return badInput("'" + value + "' is not NAME=VALUE", "--env");
    options.environment.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    return {};
  };
  const auto text = [](auto& target) -> Setter {
    return [&target](const std::string& value) -> Status { return target = value, Status{}; };
  };
  RankPlan& plan = options.plan;
  const std::map<std::string, Setter> setters{
      {"--run", text(options.run)},
      {"--nproc-per-node", integer(plan.processes, "--nproc-per-node", 1)},
      {"--node", integer(plan.node, "--node", 0)},
      {"--nnodes", integer(plan.nodes, "--nnodes", 1)},
      {"--first-rank", integer(firstRank, "--first-rank", 0)},
      {"--world-size", integer(worldSize, "--world-size", 1)},
      {"--master-addr", text(plan.masterAddress)},
      {"--master-port", integer(plan.masterPort, "--master-port", 0)},
      {"--trainer", text(trainer)},
      {"--env", variable},
      {"--sample-interval", seconds(options.sampleInterval, "--sample-interval")},
      {"--stop-grace", seconds(options.stopGrace, "--stop-grace")},
      {"--kill-grace", seconds(options.killGrace, "--kill-grace")},
      {"--orphan-grace", seconds(options.orphanGrace, "--orphan-grace")},
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--") {
      options.forRanks.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (name == "--foreground") {
      options.foreground = true;
      continue;
    }
    const auto setter = setters.find(name);
    if (setter == setters.end()) return badInput("unknown option '" + name + "'", "roadtune-agent", "--help");
    if (i + 1 == arguments.size()) return badInput("needs a value", name);
    ROADTUNE_CHECK(setter->second(arguments[++i]));
  }
  if (options.run.empty()) return badInput("which run?", "roadtune-agent", "--run DIR");
  std::error_code ignored;
  options.run = std::filesystem::absolute(options.run, ignored);
  options.portGiven = plan.masterPort > 0;
  plan.firstRank = firstRank >= 0 ? firstRank : plan.node * plan.processes;
  plan.worldSize = worldSize > 0 ? worldSize : plan.nodes * plan.processes;
  if (plan.firstRank + plan.processes > plan.worldSize)
    return badInput("ranks " + std::to_string(plan.firstRank) + " to " +
                        std::to_string(plan.firstRank + plan.processes - 1) + " do not fit into a world of " +
                        std::to_string(plan.worldSize),
                    "--world-size");
  if (!trainer.empty()) options.command = {trainer, "--run", options.run.string()};
  return options;
}

}  // namespace roadtune::remote
