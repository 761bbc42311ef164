// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/manifest.h"
#include "remote/launch/host_access.h"
#include "remote/launch/host_nodes.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

// A run on other machines lies in a folder of the machine that started it, which may be shut or far away. So each of
// the run's machines keeps its manifest as well, in whereabouts.json: from there any machine can follow it.

// What cannot be left is no reason to stop a run.
void leaveWhereabouts(std::vector<HostNode>& nodes, const std::filesystem::path& run,
                      const protocol::Manifest& manifest);

// A run that a machine has a part of.
struct RunThere {
  protocol::Manifest manifest;  // as of its last start
  std::string folder;           // of the part over there
  bool ended = false;           // the machine's agent has said goodbye
};

// The newest first.
Result<std::vector<RunThere>> runsOn(const std::string& host, const HostAccess& access);

// The one that is named by its id or its name, or the only one; which there are stands in the error.
Result<RunThere> chooseRun(const std::vector<RunThere>& runs, const std::string& host, const std::string& named);

// Where such a run is put when nobody says otherwise: the folder that a studio looks into unasked.
std::filesystem::path adoptedFolder(const RunThere& run);

// Makes a folder here from which the run is followed, stopped and resumed like one that was started here; what its
// machines write comes as soon as somebody follows it. The same run may lie there already.
Status adoptRun(const RunThere& run, const std::string& host, const std::filesystem::path& folder,
                const HostAccess& access);

}  // namespace roadtune::remote
