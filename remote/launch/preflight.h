// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace roadtune::remote {

enum class Verdict { Fine, Doubtful, Bad, Unknown };

// One cell of the matrix: a number that was measured, what it means, and one line to do about it.
struct Check {
  std::string name;  // "disk", stable for machines
  Verdict verdict = Verdict::Unknown;
  std::string value;  // "79.5 GB free, writes 812 MB/s"
  std::string fix = {};
  std::string backend = {};             // what carried a sum: "nccl" or "gloo"
  std::vector<std::string> notes = {};  // what of ssh_config is not followed
};

struct HostReport {
  std::string host;
  std::vector<Check> checks;
  double seconds = 0;   // the checks took
  bool usable() const;  // no check is bad
};

struct PreflightLimits {
  double freeDisk = 5e9, slowDisk = 50e6, freeMemory = 1e9, freeShared = 64e6;
  double clockOffset = 0.5;  // seconds
  int openFiles = 4096;
  bool needGpu = false;
  double checkpointBytes = 0;  // of one, where the run is known; so many lie on the disk at a time
  int checkpoints = 0;
};

// Judges what machineFacts() told. `clockOffset` in seconds, where it could be measured. Pure.
std::vector<Check> judgeMachine(const nlohmann::json& facts, const PreflightLimits& limits,
                                std::optional<double> clockOffset = {});

// What differs between machines that must agree: driver, CUDA, NCCL, and what may differ: glibc. One check per
// quantity, empty for one host.
std::vector<Check> judgeAgreement(const std::vector<std::pair<std::string, nlohmann::json>>& factsByHost);

std::string_view verdictName(Verdict verdict);  // "ok", "warn", "bad", "unknown"

}  // namespace roadtune::remote
