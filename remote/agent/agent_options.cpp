// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/agent_options.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

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
  --env-stdin           more of them, as a JSON object on standard input: command lines are seen by everybody
  --foreground          stay with the caller instead of going into the background
  --sample-interval S   between two looks at the machine            (1)
  --stop-grace S        from "save and stop" to SIGTERM             (900)
  --kill-grace S        from SIGTERM to SIGKILL                     (10)
  --orphan-grace S      for ranks whose agent was killed            (900)
  --stall-factor N      a stall is so many median steps, 0 never    (20)
  --stall-minimum S     and at least so many seconds                (60)
  --phase-minimum S     the same for loading, saving and the like   (600)
  --end-stalled         end stalled ranks as failed
  --max-restarts N      after failures that may pass, one machine   (0)

SIGTERM: save and stop. Twice, more than half a second apart: stop now.
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

Status setNumber(double& target, const std::string& name, const std::string& value, const char* what) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end || !(number >= 0)) return badInput("'" + value + "' is not a " + what, name);
  target = number;
  return {};
}

using Setter = std::function<Status(const std::string&)>;
using Setters = std::map<std::string, Setter>;

// What an option names before it is known what it means together with others.
struct Named {
  AgentOptions options;
  int firstRank = -1, worldSize = -1;
  std::string trainer;
};

Setter integer(int& target, const char* name, int least) {
  return [&target, name, least](const std::string& value) { return setInteger(target, name, value, least); };
}

Setter seconds(double& target, const char* name) {
  return [&target, name](const std::string& value) { return setNumber(target, name, value, "time in seconds"); };
}

Setter factor(double& target, const char* name) {
  return [&target, name](const std::string& value) { return setNumber(target, name, value, "number of at least 0"); };
}

Setter word(auto& target) {
  return [&target](const std::string& value) -> Status { return target = value, Status{}; };
}

Setters settersOf(Named& named) {
  AgentOptions& options = named.options;
  const auto variable = [&options](const std::string& value) -> Status {
    const auto equals = value.find('=');
    if (equals == 0 || equals == std::string::npos) return badInput("'" + value + "' is not NAME=VALUE", "--env");
    options.environment.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    return {};
  };
  RankPlan& plan = options.plan;
  Supervision& supervision = options.supervision;
  return {
      {"--run", word(options.run)},
      {"--nproc-per-node", integer(plan.processes, "--nproc-per-node", 1)},
      {"--node", integer(plan.node, "--node", 0)},
      {"--nnodes", integer(plan.nodes, "--nnodes", 1)},
      {"--first-rank", integer(named.firstRank, "--first-rank", 0)},
      {"--world-size", integer(named.worldSize, "--world-size", 1)},
      {"--master-addr", word(plan.masterAddress)},
      {"--master-port", integer(plan.masterPort, "--master-port", 0)},
      {"--trainer", word(named.trainer)},
      {"--env", variable},
      {"--sample-interval", seconds(options.sampleInterval, "--sample-interval")},
      {"--stop-grace", seconds(options.stopGrace, "--stop-grace")},
      {"--kill-grace", seconds(options.killGrace, "--kill-grace")},
      {"--orphan-grace", seconds(options.orphanGrace, "--orphan-grace")},
      {"--stall-factor", factor(supervision.stallFactor, "--stall-factor")},
      {"--stall-minimum", seconds(supervision.stallMinimum, "--stall-minimum")},
      {"--phase-minimum", seconds(supervision.phaseMinimum, "--phase-minimum")},
      {"--max-restarts", integer(supervision.maxRestarts, "--max-restarts", 0)},
  };
}

// The options as they were given, one by one.
Status readOptions(const std::vector<std::string>& arguments, Named& named) {
  const Setters setters = settersOf(named);
  AgentOptions& options = named.options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--") {
      options.forRanks.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    const std::map<std::string, bool*> flags{{"--foreground", &options.foreground},
                                             {"--end-stalled", &options.supervision.endStalled},
                                             {"--env-stdin", &options.readsEnvironment}};
    if (const auto flag = flags.find(name); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    const auto setter = setters.find(name);
    if (setter == setters.end()) return badInput("unknown option '" + name + "'", "roadtune-agent", "--help");
    if (i + 1 == arguments.size()) return badInput("needs a value", name);
    ROADTUNE_CHECK(setter->second(arguments[++i]));
  }
  return {};
}

}  // namespace

Result<AgentOptions> parseAgentOptions(const std::vector<std::string>& arguments) {
  Named named;
  ROADTUNE_CHECK(readOptions(arguments, named));
  AgentOptions& options = named.options;
  RankPlan& plan = options.plan;
  if (options.run.empty()) return badInput("which run?", "roadtune-agent", "--run DIR");
  std::error_code ignored;
  options.run = std::filesystem::absolute(options.run, ignored);
  options.portGiven = plan.masterPort > 0;
  plan.firstRank = named.firstRank >= 0 ? named.firstRank : plan.node * plan.processes;
  plan.worldSize = named.worldSize > 0 ? named.worldSize : plan.nodes * plan.processes;
  if (plan.firstRank + plan.processes > plan.worldSize)
    return badInput("ranks " + std::to_string(plan.firstRank) + " to " +
                        std::to_string(plan.firstRank + plan.processes - 1) + " do not fit into a world of " +
                        std::to_string(plan.worldSize),
                    "--world-size");
  if (!named.trainer.empty()) options.command = {named.trainer, "--run", options.run.string()};
  return options;
}

std::string variablesText(const Variables& variables) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, value] : variables) object[name] = value;
  return jsonLine(object);
}

Result<Variables> readVariables(std::string_view text) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return badInput("is no JSON object", "--env-stdin");
  Variables variables;
  for (const auto& [name, value] : object.items()) {
    if (name.empty() || !value.is_string()) return badInput("variables are texts with a name", "--env-stdin");
    variables.emplace_back(name, value.get<std::string>());
  }
  return variables;
}

}  // namespace roadtune::remote
