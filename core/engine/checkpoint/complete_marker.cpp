// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/complete_marker.h"

#include "core/base/hash.h"
#include "core/base/unique_fd.h"
#include "core/protocol/checkpoint_marker.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace roadtune::engine {
namespace {

std::vector<fs::path> filesOf(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::recursive_directory_iterator(folder, code))
    if (entry.is_regular_file() && entry.path().filename() != protocol::kCompleteMarker) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Status syncFile(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() || ::fsync(fd.get()) != 0) return systemError("cannot write through to the disk", path.string());
  return {};
}

}  // namespace

Status sealFolder(const fs::path& folder, const WritingTold& told) {
  std::vector<protocol::CheckpointFile> files;
  const auto paths = filesOf(folder);
  for (const auto& path : paths) {
    ROADTUNE_CHECK(syncFile(path));
    ROADTUNE_TRY(auto hash, sha256OfFile(path));
    std::error_code code;
    files.push_back({fs::relative(path, folder, code).generic_string(), fs::file_size(path, code), std::move(hash)});
    if (told) told(static_cast<std::int64_t>(files.size()), static_cast<std::int64_t>(paths.size()));
  }
  ROADTUNE_CHECK(syncFolder(folder));
  return writeFileAtomically(folder / protocol::kCompleteMarker, protocol::markerText(files));
}

std::uint64_t folderBytes(const fs::path& folder) {
  std::uint64_t total = 0;
  std::error_code code;
  for (const auto& path : filesOf(folder)) total += fs::file_size(path, code);
  return total;
}

}  // namespace roadtune::engine
