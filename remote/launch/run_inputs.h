// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/document.h"
#include "core/config/run_config.h"
#include "remote/launch/host_access.h"
#include "remote/transfer/file_sender.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace roadtune::remote {

// A path that the configuration names, with every file that training reads because of it, as they are on this machine;
// no files when it is not here.
struct InputGroup {
  std::string root;
  std::vector<FileToSend> files = {};  // each target is its own path
  bool here() const { return !files.empty(); }
};

// Model, tokenizer and data of a run. Fails when what is here cannot be read, not when something is not here.
Result<std::vector<InputGroup>> runInputs(const config::RunConfig& config);

// What a machine has of a run's inputs.
struct HostInputs {
  std::string host;
  std::vector<FileToSend> copies = {};            // what would have to go there, and where it would lie
  std::uint64_t bytes = 0;                        // of these
  std::size_t replaced = 0;                       // of these, files that are there and differ
  std::uint64_t space = 0;                        // free where they would lie
  std::vector<std::string> nowhere = {};          // paths that are neither there nor here
  std::map<std::string, std::string> moved = {};  // from the path of the configuration to the one over there
  bool complete() const { return copies.empty() && nowhere.empty(); }
  bool fits() const { return bytes + bytes / 50 <= space || bytes == 0; }
  std::string text() const;  // "12 files, 1.2 GB, of which 2 differ; 45 GB free"
};

// Asks one machine. Its path is kept where the files are there or can be put there; else they belong below
// ~/.roadtune/inputs of that machine, where an earlier copy may have put them.
Result<HostInputs> inputsThere(Session& session, const std::string& host, const std::vector<InputGroup>& groups,
                               ProgressSink* progress = nullptr);

// The part of inputsThere() that decides. Pure but for samples of files here that another time of change makes
// necessary.
HostInputs judgeInputs(const std::string& host, const std::vector<InputGroup>& groups, const nlohmann::json& answer);

// All machines at once. Refuses two names of one machine.
Result<std::vector<HostInputs>> inputsOn(const std::vector<std::string>& hosts, const std::vector<InputGroup>& groups,
                                         const HostAccess& access, ProgressSink* progress = nullptr);

// Refuses, with every machine and what it lacks, unless all have everything.
Status requireInputs(const std::vector<HostInputs>& hosts);

// Copies what is missing to all machines at once, to those that share a file system one after the other. Refuses
// beforehand where a disk is too small. One that fails is named, and the others are finished.
Status copyInputs(const std::vector<HostInputs>& hosts, const std::vector<InputGroup>& groups, const HostAccess& access,
                  ProgressSink* progress = nullptr);

// The same configuration with the paths of that machine.
Status useMovedInputs(config::Document& document, const config::RunConfig& config,
                      const std::map<std::string, std::string>& moved);

}  // namespace roadtune::remote
