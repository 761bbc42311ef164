// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/complete_marker.h"

#include "core/base/hash.h"
#include "core/base/unique_fd.h"
#include "core/protocol/run_layout.h"

#include <nlohmann/json.hpp>

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

Status verifyFile(const fs::path& path, const nlohmann::json& entry, const std::string& checkpoint) {
  std::error_code code;
  const auto name = path.filename().string();
  const char* advice = "use another checkpoint of the run";
  if (!fs::is_regular_file(path, code)) return badInput("the checkpoint lacks " + name, checkpoint, advice);
  if (fs::file_size(path, code) != entry.value("bytes", std::uint64_t{0}))
    return badInput(name + " has another size than when it was written", checkpoint, advice);
  ROADTUNE_TRY(const auto hash, sha256OfFile(path));
  if (hash != entry.value("sha256", ""))
    return badInput(name + " was altered after it was written", checkpoint, advice);
  return {};
}

}  // namespace

Status sealFolder(const fs::path& folder) {
  nlohmann::json files = nlohmann::json::object();
  for (const auto& path : filesOf(folder)) {
    ROADTUNE_CHECK(syncFile(path));
    ROADTUNE_TRY(auto hash, sha256OfFile(path));
    std::error_code code;
    files[fs::relative(path, folder, code).generic_string()] = {{"bytes", fs::file_size(path, code)}, {"sha256", hash}};
  }
  const nlohmann::json marker = {{"format", 1}, {"files", files}};
  ROADTUNE_CHECK(syncFolder(folder));
  return writeFileAtomically(folder / protocol::kCompleteMarker, marker.dump(2) + "\n");
}

Status verifyFolder(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code)) return badInput("there is no such checkpoint", folder.string());
  const auto marker = folder / protocol::kCompleteMarker;
  if (!fs::is_regular_file(marker, code))
    return badInput("the checkpoint is incomplete: COMPLETE is missing", folder.string(),
                    "use an older checkpoint of the run");
  ROADTUNE_TRY(const auto text, readFile(marker));
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object())
    return badInput("COMPLETE cannot be read", folder.string(), "use another checkpoint of the run");
  for (const auto& [name, entry] : json["files"].items())
    ROADTUNE_CHECK(verifyFile(folder / name, entry, folder.string()));
  return {};
}

std::uint64_t folderBytes(const fs::path& folder) {
  std::uint64_t total = 0;
  std::error_code code;
  for (const auto& path : filesOf(folder)) total += fs::file_size(path, code);
  return total;
}

}  // namespace roadtune::engine
