// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace roadtune::remote {

// A file on another machine and what it must be.
struct RemoteFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::string sha256;
};

// Brings a file over into `target`.part, going on where an interrupted copy ended, proves it by its hash, and renames
// it. Nothing is fetched when `target` already has the content.
Status downloadFile(Session& session, const RemoteFile& file, const std::filesystem::path& target,
                    ProgressSink* progress = nullptr);

}  // namespace roadtune::remote
