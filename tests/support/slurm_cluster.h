// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_network.h"

#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace roadtune::testing {

// A real Slurm on the machines of a network: the controller on the first, a node on each of the others, with keys and
// state of their own. Ends with the object; what still runs in the namespaces ends with the network.
class SlurmCluster {
 public:
  explicit SlurmCluster(const TestNetwork& network, int machines);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  static std::string absent();  // what is missing to have one; empty when it can be made

  // A Slurm command, on the controller's machine.
  ProgramResult run(const std::vector<std::string>& words, std::map<std::string, std::string> environment = {}) const;
  int submit(const std::filesystem::path& script, const std::map<std::string, std::string>& environment) const;
  std::string stateOf(int job) const;                           // "COMPLETED"
  std::string fieldOf(int job, const std::string& name) const;  // of `scontrol show job`
  bool ends(int job, int seconds) const;                        // waits until it is neither waiting nor running
  std::string logs() const;                                     // for messages

 private:
  void writeFiles();
  void start(int machine, const std::vector<std::string>& words, const std::string& output);
  const TestNetwork& m_network;
  int m_machines;
  TempFolder m_folder;
  std::vector<pid_t> m_daemons;
};

}  // namespace roadtune::testing
