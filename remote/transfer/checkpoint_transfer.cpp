// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/checkpoint_transfer.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/protocol/run_layout.h"
#include "remote/ssh/download.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace roadtune::remote {

namespace {

// What COMPLETE says a checkpoint consists of.
Result<std::vector<RemoteFile>> filesOf(const std::string& marker, const std::string& where) {
  const auto json = nlohmann::json::parse(marker, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object())
    return failed("COMPLETE cannot be read", where, "choose another checkpoint");
  std::vector<RemoteFile> files;
  for (const auto& [name, entry] : json["files"].items()) {
    const fs::path path = name;
    if (path.is_absolute() || name.find("..") != std::string::npos || !entry.is_object())
      return failed("COMPLETE names a file outside the checkpoint: " + name, where);
    files.push_back({name, entry.value("bytes", std::uint64_t{0}), entry.value("sha256", std::string())});
  }
  return files;
}

}  // namespace

Result<std::vector<std::int64_t>> checkpointsThere(Session& session, const std::string& runFolder) {
  ROADTUNE_TRY(const std::string lines,
               session.output(fmt::format("cd {} 2>/dev/null && for d in checkpoint-*; do [ -e \"$d/{}\" ] && echo "
                                          "\"$d\"; done; true",
                                          shellQuote(runFolder), protocol::kCompleteMarker)));
  std::vector<std::int64_t> steps;
  for (const auto& line : split(lines, '\n')) {
    const std::string name(trim(line));
    char* end = nullptr;
    if (!startsWith(name, "checkpoint-")) continue;
    const auto step = std::strtoll(name.c_str() + 11, &end, 10);
    if (end != name.c_str() + 11 && *end == '\0') steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

Status fetchCheckpoint(Session& session, const std::string& runFolder, const fs::path& run, std::int64_t step,
                       ProgressSink* progress) {
  const fs::path target = protocol::RunLayout(run).checkpoint(step);
  std::error_code code;
  if (fs::exists(target / protocol::kCompleteMarker, code)) return {};
  const std::string there = fmt::format("{}/checkpoint-{}", runFolder, step);
  ROADTUNE_TRY(const std::string marker, session.output("cat " + shellQuote(there + "/" + protocol::kCompleteMarker)));
  ROADTUNE_TRY(std::vector<RemoteFile> files, filesOf(marker, session.host().label() + ":" + there));
  const fs::path aside = run / fmt::format(".checkpoint-{}.fetched", step);
  for (auto& file : files) {
    const fs::path into = aside / file.path;
    file.path = there + "/" + file.path;
    ROADTUNE_CHECK(downloadFile(session, file, into, progress));
  }
  ROADTUNE_CHECK(writeFileAtomically(aside / protocol::kCompleteMarker, marker));
  fs::remove_all(target, code);  // an incomplete one
  fs::rename(aside, target, code);
  if (code) return systemError(code.value(), "cannot rename the fetched checkpoint", target.string());
  return syncFolder(run);
}

Result<std::string> sendCheckpoint(Session& session, const fs::path& checkpoint, const std::string& runFolder,
                                   ProgressSink* progress) {
  const std::string there = runFolder + "/" + checkpoint.filename().string();
  ROADTUNE_TRY(const std::string marker, readFile(checkpoint / protocol::kCompleteMarker));
  ROADTUNE_TRY(const std::vector<RemoteFile> files, filesOf(marker, checkpoint.string()));
  for (const auto& file : files)
    ROADTUNE_CHECK(uploadFile(session, checkpoint / file.path, there + "/" + file.path, "644", progress));
  ROADTUNE_CHECK(uploadFile(session, checkpoint / protocol::kCompleteMarker, there + "/" + protocol::kCompleteMarker,
                            "644", progress));
  return there;
}

}  // namespace roadtune::remote
