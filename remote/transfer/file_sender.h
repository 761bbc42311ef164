// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

struct FileToSend {
  std::filesystem::path file;
  std::string target;  // its whole path over there
  std::uint64_t bytes = 0;
};

// Brings files to a machine, each proved by its SHA-256 there before it takes its place, with its time of change. Small
// ones travel one behind the other, large ones by uploadFile(). What has arrived stays when the copy is cut: the next
// one asks for less. `agent` is our program over there. Progress counts the bytes of all files.
Status sendFiles(Session& session, const std::string& agent, const std::vector<FileToSend>& files,
                 ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
