// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/checkpoint_marker.h"

#include "core/base/hash.h"
#include "core/protocol/run_layout.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::protocol {

namespace {

constexpr const char* kAdvice = "move its folder away: a run then goes on from the checkpoint before";

// A folder without COMPLETE.
Error whatElse(const fs::path& folder) {
  const RunLayout layout(folder);
  const std::string where = folder.string();
  if (const auto last = layout.lastCompleteCheckpoint())
    return badInput("is a run, not a checkpoint", where, last->path);
  if (layout.isRun()) return badInput("is a run, and has no complete checkpoint", where);
  std::error_code code;
  for (const char* name : {"optimizer.pt", "training_args.bin", "scheduler.pt"})
    if (fs::exists(folder / name, code))
      return badInput("is a checkpoint of another trainer, whose optimizer is not read here", where,
                      "model_name_or_path, to begin anew from its weights (of an adapter: adapter_name_or_path)");
  return badInput("the checkpoint is incomplete: COMPLETE is missing", where, "use an older checkpoint of the run");
}

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

std::string damageBySize(const std::vector<CheckpointFile>& files, const std::map<std::string, std::uint64_t>& sizes) {
  for (const CheckpointFile& file : files) {
    const auto found = sizes.find(file.name);
    if (found == sizes.end()) return "the checkpoint lacks " + file.name;
    if (found->second != file.bytes) return file.name + " has another size than when it was written";
  }
  return {};
}

Status verifyCheckpointFile(const fs::path& checkpoint, const CheckpointFile& file, Compare compare) {
  std::map<std::string, std::uint64_t> size;
  std::error_code code;
  const fs::path path = checkpoint / file.name;
  if (fs::is_regular_file(path, code)) size[file.name] = fs::file_size(path, code);
  if (const std::string damage = damageBySize({file}, size); !damage.empty())
    return badInput(damage, checkpoint.string(), kAdvice);
  if (compare == Compare::Sizes) return {};
  ROADTUNE_TRY(const auto hash, sha256OfFile(path));
  if (hash == file.sha256) return {};
  return badInput(file.name + " was altered after it was written", checkpoint.string(), kAdvice);
}

Status verifyCheckpoint(const fs::path& checkpoint, Compare compare) {
  std::error_code code;
  if (!fs::is_directory(checkpoint, code)) return badInput("there is no such checkpoint", checkpoint.string());
  const fs::path marker = checkpoint / kCompleteMarker;
  if (!fs::is_regular_file(marker, code)) return whatElse(checkpoint);
  ROADTUNE_TRY(const std::string text, readFile(marker));
  ROADTUNE_TRY(const auto files, readMarker(text, checkpoint.string()));
  for (const CheckpointFile& file : files) ROADTUNE_CHECK(verifyCheckpointFile(checkpoint, file, compare));
  return {};
}

std::string damagedName(const std::string& checkpoint, const std::function<bool(const std::string&)>& taken) {
  std::string name = checkpoint + ".damaged";
  for (int number = 2; taken(name); ++number) name = fmt::format("{}.damaged-{}", checkpoint, number);
  return name;
}

Result<std::string> setAsideDamaged(const fs::path& checkpoint) {
  std::error_code code;
  const fs::path folder = checkpoint.parent_path();
  const std::string name = damagedName(checkpoint.filename().string(),
                                       [&](const std::string& other) { return fs::exists(folder / other, code); });
  fs::rename(checkpoint, folder / name, code);
  if (code) return systemError(code.value(), "cannot rename the damaged checkpoint", checkpoint.string());
  return name;
}

Status adoptCheckpoint(const fs::path& aside, const fs::path& checkpoint, const std::string& marker) {
  ROADTUNE_CHECK(writeFileAtomically(aside / kCompleteMarker, marker));
  const fs::path before = checkpoint.parent_path() / ("." + checkpoint.filename().string() + ".before");
  std::error_code code;
  fs::remove_all(before, code);
  fs::rename(checkpoint, before, code);
  fs::rename(aside, checkpoint, code);
  if (code) {
    const Error error = systemError(code.value(), "cannot rename the fetched checkpoint", checkpoint.string());
    fs::rename(before, checkpoint, code);
    return error;
  }
  const Status kept = syncFolder(checkpoint.parent_path());
  fs::remove_all(before, code);
  return kept;
}

}  // namespace roadtune::protocol
