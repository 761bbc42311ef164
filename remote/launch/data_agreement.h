// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/launch/host_access.h"
#include "remote/launch/preflight.h"
#include "remote/launch/run_inputs.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::remote {

// What a path holds on a machine, quickly told: names and sizes of every file, and the beginning and end of the
// largest ones. Equal fingerprints mean equal data but for a change in the middle of a file that keeps its size.
struct Fingerprint {
  bool there = false;
  std::string hash;
  std::uint64_t files = 0, bytes = 0;
};

// By host, then by path. Counted are the files that a group names, which are those that training reads and a copy
// brings, there or below ~/.roadtune/inputs; where it names none, all but what programs leave beside data. A machine
// that cannot be asked is left out.
using Fingerprints = std::map<std::string, std::map<std::string, Fingerprint>>;
Fingerprints fingerprintsOn(const std::vector<std::string>& hosts, const std::vector<InputGroup>& inputs,
                            const HostAccess& access);

// One check per path: everywhere, and the same. Pure.
std::vector<Check> judgeData(const Fingerprints& fingerprints, const std::vector<std::string>& paths);

}  // namespace roadtune::remote
