// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/checkpoint_marker.h"

#include "core/base/hash.h"

#include <nlohmann/json.hpp>

namespace roadtune::protocol {

namespace {

constexpr const char* kAdvice = "move its folder away: a run then goes on from the checkpoint before";

}  // namespace

std::string markerText(const std::vector<CheckpointFile>& files) {
  nlohmann::json entries = nlohmann::json::object();
  for (const CheckpointFile& file : files) entries[file.name] = {{"bytes", file.bytes}, {"sha256", file.sha256}};
  return nlohmann::json{{"format", 1}, {"files", entries}}.dump(2) + "\n";
}

Result<std::vector<CheckpointFile>> readMarker(const std::string& text, const std::string& where) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object())
    return badInput("COMPLETE cannot be read", where, kAdvice);
  std::vector<CheckpointFile> files;
  for (const auto& [name, entry] : json["files"].items()) {
    if (!staysBelow(name)) return badInput("COMPLETE names a file outside the checkpoint: " + name, where, kAdvice);
    const bool whole = entry.is_object() && entry.contains("bytes") && entry["bytes"].is_number_unsigned() &&
                       entry.contains("sha256") && entry["sha256"].is_string();
    if (!whole) return badInput("COMPLETE does not say what " + name + " must be", where, kAdvice);
    files.push_back({name, entry["bytes"].get<std::uint64_t>(), entry["sha256"].get<std::string>()});
  }
  return files;
}

Status verifyCheckpointFile(const fs::path& checkpoint, const CheckpointFile& file) {
  const fs::path path = checkpoint / file.name;
  const std::string name = path.filename().string(), where = checkpoint.string();
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return badInput("the checkpoint lacks " + name, where, kAdvice);
  if (fs::file_size(path, code) != file.bytes)
    return badInput(name + " has another size than when it was written", where, kAdvice);
  ROADTUNE_TRY(const auto hash, sha256OfFile(path));
  if (hash != file.sha256) return badInput(name + " was altered after it was written", where, kAdvice);
  return {};
}

Status adoptCheckpoint(const fs::path& aside, const fs::path& checkpoint, const std::string& marker) {
  ROADTUNE_CHECK(writeFileAtomically(aside / kCompleteMarker, marker));
  std::error_code code;
  fs::remove_all(checkpoint, code);
  fs::rename(aside, checkpoint, code);
  if (code) return systemError(code.value(), "cannot rename the fetched checkpoint", checkpoint.string());
  return syncFolder(checkpoint.parent_path());
}

}  // namespace roadtune::protocol
