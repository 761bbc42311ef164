// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/agent_starter.h"

#include "core/base/exit_code.h"
#include "core/base/files.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "remote/agent/agent_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace roadtune::remote {

namespace {

constexpr double kStartLimit = 60;  // an agent forks, checks and answers; seconds would be much

ErrorKind kindOf(int code) {
  switch (code) {
    case kExitBadInput: return ErrorKind::BadInput;
    case kExitMissing: return ErrorKind::Missing;
    default: return ErrorKind::Failed;
  }
}

}  // namespace

std::vector<std::string> agentArguments(const fs::path& run, const RankPlan& plan, const Supervision& supervision) {
  std::vector<std::string> arguments{"--run",
                                     run.string(),
                                     "--node",
                                     std::to_string(plan.node),
                                     "--nnodes",
                                     std::to_string(plan.nodes),
                                     "--nproc-per-node",
                                     std::to_string(plan.processes),
                                     "--first-rank",
                                     std::to_string(plan.firstRank),
                                     "--world-size",
                                     std::to_string(plan.worldSize),
                                     "--master-addr",
                                     plan.masterAddress};
  if (plan.masterPort > 0) arguments.insert(arguments.end(), {"--master-port", std::to_string(plan.masterPort)});
  arguments.insert(arguments.end(), {"--env-stdin", "--stall-factor", fmt::format("{}", supervision.stallFactor)});
  if (supervision.endStalled) arguments.push_back("--end-stalled");
  if (supervision.maxRestarts > 0)
    arguments.insert(arguments.end(), {"--max-restarts", std::to_string(supervision.maxRestarts)});
  return arguments;
}

Result<StartedAgent> parseReadyLine(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("pid"))
    return failed("the agent gave no understandable answer: " + line.substr(0, 200));
  StartedAgent started;
  started.agent = {json.value("pid", -1), json.value("start", std::uint64_t{0})};
  started.socket = json.value("socket", std::string());
  started.masterPort = json.value("master_port", 0);
  return started;
}

Result<StartedAgent> startAgentHere(const fs::path& run, const RankPlan& plan,
                                    const std::vector<std::pair<std::string, std::string>>& environment,
                                    const Supervision& supervision) {
  ROADTUNE_TRY(const fs::path agent, siblingProgram("roadtune-agent"));
  ROADTUNE_TRY(const UniqueFd variables, textAsFile(variablesText(environment)));
  SpawnOptions options{.command = {agent.string()}, .input = Stream::given(variables.get())};
  for (auto& argument : agentArguments(run, plan, supervision)) options.command.push_back(std::move(argument));
  if (const char* trainer = std::getenv("ROADTUNE_TRAINER"); trainer && *trainer)
    options.command.insert(options.command.end(), {"--trainer", trainer});
  if (const char* more = std::getenv("ROADTUNE_AGENT_OPTIONS"))
    for (auto& word : split(more, ' '))
      if (!word.empty()) options.command.push_back(std::move(word));
  ROADTUNE_TRY(const CommandOutput output, runCommand(std::move(options), kStartLimit));
  if (output.status.ok()) return parseReadyLine(output.out);
  std::string why(trim(output.err));
  if (why.empty()) why = "roadtune-agent ended with " + output.status.text();
  return Error{kindOf(output.status.code), std::move(why)};
}

}  // namespace roadtune::remote
