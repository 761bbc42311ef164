// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/config/document.h"
#include "core/config/run_config.h"
#include "core/protocol/manifest.h"
#include "remote/launch/host_access.h"
#include "remote/launch/launch.h"
#include "remote/ssh/session.h"
#include "remote/transfer/bundle.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

// One machine on its way to running its part of a run; what starting and resuming on other machines have in common.
struct HostNode {
  std::string name;  // as the user typed it
  Session session;
  Deployed deployed = {};
  std::string hostName = {};
  std::string home = {};                          // absolute
  std::string address = {};                       // where other nodes find it: by which it was reached, mostly
  std::string folder = {};                        // of the run over there
  bool begun = false;                             // its agent was asked for, and may run
  std::map<std::string, std::string> moved = {};  // inputs that lie elsewhere on this machine (run_inputs.h)
};

// Connects and learns its names; nothing is brought there.
Result<HostNode> connectNode(const std::string& name, const HostAccess& access);

// The interface through which a node talks to another one.
Result<std::string> interfaceTowards(HostNode& node, const std::string& address);

// Before a node is used that has waited long: what lies between may have forgotten the connection, which is made anew
// then.
Status wake(HostNode& node, const HostAccess& access);
Status wakeAll(std::vector<HostNode>& nodes, const HostAccess& access);

// Connects, checks that model and data of the configuration are there and those of this machine, where it has them, and
// brings our programs.
Result<std::vector<HostNode>> connectHosts(const std::vector<std::string>& hosts, const config::RunConfig& config,
                                           const HostAccess& access, ProgressSink* progress);

// Makes the run's folder below ~/.roadtune/runs over there.
Status makeFolderThere(HostNode& node, const std::string& runId, int number);

// The configuration as run.yaml over there, with the paths of that machine.
Status sendConfig(HostNode& node, config::Document document, const config::RunConfig& config);

// `text` becomes the content of the file `target` over there.
Status sendText(HostNode& node, const std::string& text, const std::string& target);

// The run's manifest as its nodes get it: with the run's name, because their folders have others, and without nodes:
// what an agent writes into it is known to be of this start.
std::string manifestForNodes(const std::filesystem::path& run, protocol::Manifest manifest);

// How the ranks of a job are spread; `masterGiven` keeps the address the user has named.
struct HostStart {
  RankPlan ranks;
  Supervision supervision;
  bool masterGiven = false;
  std::vector<std::pair<std::string, std::string>> environment;
};

// Writes into the manifest which machines are to run the job, and where on them; not yet who their agents are. It is
// saved before the first agent starts, so that whoever finds the run after this process was killed knows whom to ask.
void nameNodes(const std::vector<HostNode>& nodes, const HostStart& start, protocol::Manifest& manifest);

// Starts one agent per named node as one job and writes into the manifest who they are.
Status startAgents(std::vector<HostNode>& nodes, const HostStart& start, protocol::Manifest& manifest,
                   StartedRun& started);

// After startAgents() has failed: ends what it has begun, waits until that is gone, and makes `before` the run's
// manifest again. Where a machine cannot say that nothing is left, `named` stays the manifest, so that the run can be
// stopped; the error tells that beside `cause`.
Status takeBack(std::vector<HostNode>& nodes, const std::filesystem::path& run, const protocol::Manifest& before,
                const protocol::Manifest& named, const Error& cause);

}  // namespace roadtune::remote
