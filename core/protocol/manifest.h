// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace roadtune::protocol {

// In the place of an agent's process id: the machine was asked after a start that was cut, and had none.
inline constexpr std::int64_t kNoAgent = -1;

// One machine of a run, and where its agent answers.
struct ManifestNode {
  int node = 0;
  std::string host;              // as the machine calls itself
  std::string address = {};      // how it was reached; empty for this machine
  std::string folder = {};       // of the run over there; empty when it is this one
  std::string program = {};      // roadtune-agent over there
  int processes = 1;             // ranks on it
  std::string agentSocket = {};  // path on that machine
  std::int64_t agentPid = 0;     // 0: a start has begun, and nobody has written down yet whom it started
  std::uint64_t agentStart =
      0;  // start time in clock ticks since boot (/proc/PID/stat field 22): with the pid, an identity
};

// Where rank 0 ran before the run moved to another machine: what it left there is still to be had.
struct EarlierPlace {
  std::string address;    // how the machine was reached
  std::string folder;     // of the run over there
  std::int64_t step = 0;  // up to which it wrote the checkpoints
};

// manifest.json: what a run is, for everybody who finds its folder. Fields of later versions survive a rewrite.
struct Manifest {
  std::string runId;
  std::string name = {};
  double created = 0;  // seconds since 1970
  std::string roadtuneVersion = {};
  std::string model = {};   // model_name_or_path
  std::string method = {};  // full | lora | qlora
  std::vector<std::string> command = {};
  std::string configHash = {};  // SHA-256 of run.yaml
  int worldSize = 1;
  std::string masterAddress = {};
  int masterPort = 0;
  std::vector<ManifestNode> nodes = {};
  std::vector<EarlierPlace> earlier = {};                // in the order in which it left them
  std::map<std::string, std::string> dataHashes = {};    // path -> hash
  std::map<std::string, std::string> weightHashes = {};  // file -> hash
  std::vector<std::string> attributions = {};            // licence lines that exports and checkpoints must carry
  std::string resumedFrom = {};                          // checkpoint folder
  int attempt = 1;                                       // grows with every start of the same run
  nlohmann::json other = nlohmann::json::object();       // fields unknown to this version
};

// Is the run on other machines, reached over SSH? Their processes cannot be looked for here, whatever name such a
// machine gives itself.
bool runsElsewhere(const Manifest& manifest);

Result<Manifest> readManifest(const fs::path& path);
Status writeManifest(const fs::path& path, const Manifest& manifest);  // replaces the file atomically

nlohmann::json toJson(const Manifest& manifest);
Result<Manifest> manifestFromJson(const nlohmann::json& json, const std::string& where);

// "20260131-081530-8f3a": sortable, unique enough for one user's runs.
std::string makeRunId(double wallSeconds, std::uint64_t salt);

}  // namespace roadtune::protocol
