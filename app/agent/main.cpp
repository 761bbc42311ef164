// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune-agent: owns the ranks of one machine for one run. See `roadtune-agent --help`.
#include "core/base/exit_code.h"
#include "core/base/json_text.h"
#include "remote/agent/agent_options.h"
#include "remote/agent/file_receiver.h"
#include "remote/agent/file_stream.h"
#include "remote/agent/guardian.h"
#include "remote/agent/inventory.h"
#include "remote/agent/leftovers.h"
#include "remote/agent/link_probe.h"
#include "remote/agent/machine_facts.h"
#include "remote/agent/nccl_version.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace {

// roadtune-agent --stream RUN --have OFFSETS: sends the run's files to whoever asked over SSH.
int stream(const std::vector<std::string>& arguments) {
  using namespace roadtune;
  const auto have = remote::offsetsFromJson(arguments.size() == 4 && arguments[2] == "--have" ? arguments[3] : "");
  if (!have.ok()) {
    std::fprintf(stderr, "roadtune-agent: %s\n", have.error().text().c_str());
    return kExitBadInput;
  }
  std::signal(SIGPIPE, SIG_IGN);
  return remote::streamFiles(arguments[1], have.value(), STDIN_FILENO, STDOUT_FILENO);
}

// roadtune-agent --left RUN --node N: what still lives of a run on this machine, a line each; --end: ended first.
int left(const std::vector<std::string>& arguments) {
  using namespace roadtune;
  constexpr double kGrace = 5;  // seconds
  if (arguments.size() != 4 || arguments[2] != "--node") {
    std::fputs("roadtune-agent: usage: --left | --end RUN --node N\n", stderr);
    return kExitBadInput;
  }
  const int node = std::atoi(arguments[3].c_str());
  if (arguments[0] == "--end") remote::endLeftovers(arguments[1], node, kGrace);
  for (const auto& line : remote::leftovers(arguments[1], node)) std::puts(line.c_str());
  return kExitDone;
}

// roadtune-agent --facts FOLDER: what this machine is and has, as JSON.
int facts(const std::vector<std::string>& arguments) {
  using namespace roadtune;
  using nlohmann::json;
  const json told = remote::machineFacts(arguments.size() > 1 ? arguments[1] : ".");
  std::puts(jsonLine(told).c_str());
  return kExitDone;
}

// roadtune-agent --nccl FOLDER: which NCCL the torch with its libraries there would open, as JSON.
int nccl(const std::vector<std::string>& arguments) {
  using namespace roadtune;
  using nlohmann::json;
  const json told = remote::ncclFacts(arguments.size() > 1 ? arguments[1] : ".");
  std::puts(jsonLine(told).c_str());
  return kExitDone;
}

// roadtune-agent --answer SECONDS, --call HOST PORT: the two ends of a look at the network.
int probeLink(const std::vector<std::string>& arguments) {
  using namespace roadtune;
  std::signal(SIGPIPE, SIG_IGN);
  if (arguments[0] == "--answer" && arguments.size() == 2)
    return remote::answerLinkProbes(std::atof(arguments[1].c_str()));
  if (arguments[0] == "--call" && arguments.size() == 3)
    return remote::callLinkProbe(arguments[1], std::atoi(arguments[2].c_str()));
  std::fputs("roadtune-agent: usage: --answer SECONDS | --call HOST PORT\n", stderr);
  return kExitBadInput;
}

// roadtune-agent --inventory: which of a run's inputs are here; question and answer are JSON on stdin and stdout.
int inventory() {
  using namespace roadtune;
  using nlohmann::json;
  const json question = json::parse(std::cin, nullptr, false);
  if (!question.is_object() || !question.contains("groups")) {
    std::fputs("roadtune-agent: --inventory reads a JSON object with \"groups\"\n", stderr);
    return kExitBadInput;
  }
  std::puts(jsonLine(remote::takeInventory(question)).c_str());
  return kExitDone;
}

// roadtune-agent --receive: puts the files that arrive on stdin where they say they belong.
int receive() {
  using namespace roadtune;
  const Status received = remote::receiveFiles(STDIN_FILENO);
  if (received.ok()) return kExitDone;
  std::fprintf(stderr, "%s\n", received.error().text().c_str());
  return exitCode(received.error().kind);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace roadtune;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "--stream") return stream(arguments);
  if (!arguments.empty() && (arguments[0] == "--left" || arguments[0] == "--end")) return left(arguments);
  if (!arguments.empty() && arguments[0] == "--facts") return facts(arguments);
  if (!arguments.empty() && arguments[0] == "--nccl") return nccl(arguments);
  if (!arguments.empty() && (arguments[0] == "--answer" || arguments[0] == "--call")) return probeLink(arguments);
  if (!arguments.empty() && arguments[0] == "--inventory") return inventory();
  if (!arguments.empty() && arguments[0] == "--receive") return receive();
  for (const auto& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--help" || argument == "-h") return std::fputs(remote::agentHelp().c_str(), stdout), kExitDone;
    if (argument == "--version") return std::puts("roadtune-agent " ROADTUNE_VERSION), kExitDone;
  }
  auto options = remote::parseAgentOptions(arguments);
  if (options.ok() && options.value().readsEnvironment) {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (auto more = remote::readVariables(text); more.ok())
      options.value().environment.insert(options.value().environment.end(), more.value().begin(), more.value().end());
    else
      options = more.error();
  }
  if (!options.ok()) {
    std::fprintf(stderr, "roadtune-agent: %s\n", options.error().text().c_str());
    return exitCode(options.error().kind);
  }
  std::signal(SIGPIPE, SIG_IGN);
  if (!options.value().foreground) return remote::launchInBackground(options.value());
  return remote::guardAgent(options.value(), UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)));
}
