// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoint_files.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/data/storage/location.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace roadtune::cli {

Result<std::vector<CheckpointFile>> filesOfMarker(const std::string& marker, const std::string& where) {
  const auto json = nlohmann::json::parse(marker, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object())
    return failed("COMPLETE cannot be read", where, "choose another checkpoint");
  std::vector<CheckpointFile> files;
  for (const auto& [name, entry] : json["files"].items()) {
    if (!data::staysBelow(name) || !entry.is_object())
      return failed("COMPLETE names a file outside the checkpoint: " + name, where);
    files.push_back({name, entry.value("bytes", std::uint64_t{0}), entry.value("sha256", std::string())});
  }
  return files;
}

Status verifyCheckpointFile(const std::filesystem::path& path, const CheckpointFile& file) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (!code && size == file.bytes) {
    ROADTUNE_TRY(const std::string hash, sha256OfFile(path));
    if (hash == file.sha256) return {};
  }
  return failed(file.name + " is not what the trainer wrote", path.parent_path().string(),
                "an older checkpoint, or copy it again");
}

std::optional<std::int64_t> stepOfCheckpoint(const std::string& name) {
  if (!startsWith(name, "checkpoint-") || name.size() == 11) return std::nullopt;
  if (!std::all_of(name.begin() + 11, name.end(), [](unsigned char c) { return std::isdigit(c); })) return std::nullopt;
  return std::strtoll(name.c_str() + 11, nullptr, 10);
}

}  // namespace roadtune::cli
