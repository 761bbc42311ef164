// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/checkpoint_transfer.h"

#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/run_layout.h"
#include "remote/ssh/download.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::remote {

Result<std::vector<std::int64_t>> checkpointsThere(Session& session, const std::string& runFolder) {
  ROADTUNE_TRY(const std::string lines,
               session.output(fmt::format("cd {} 2>/dev/null && for d in checkpoint-*; do [ -e \"$d/{}\" ] && echo "
                                          "\"$d\"; done; true",
                                          shellQuote(runFolder), protocol::kCompleteMarker)));
  std::vector<std::int64_t> steps;
  for (const auto& line : split(lines, '\n'))
    if (const auto step = protocol::checkpointStep(trim(line))) steps.push_back(*step);
  std::sort(steps.begin(), steps.end());
  return steps;
}

namespace {

// Gathers a sealed folder aside, proves it, and lets it take its place. `marker`: its COMPLETE.
Status fetchSealed(Session& session, const std::string& there, const std::string& marker, const fs::path& target,
                   ProgressSink* progress) {
  ROADTUNE_TRY(const auto files, protocol::readMarker(marker, session.host().label() + ":" + there));
  const fs::path aside = target.parent_path() / fmt::format(".{}.fetched", target.filename().string());
  for (const auto& file : files)
    ROADTUNE_CHECK(
        downloadFile(session, {there + "/" + file.name, file.bytes, file.sha256}, aside / file.name, progress));
  return protocol::adoptCheckpoint(aside, target, marker);
}

}  // namespace

Result<UniqueFd> waitToFetch(const fs::path& run, ProgressSink* progress) {
  const auto goesOn = [progress] {
    return !progress || progress->report({"waiting", 0, 0, "", "for another program"});
  };
  return waitForLock(run / ".fetch.lock", goesOn);
}

Status fetchCheckpoint(Session& session, const std::string& runFolder, const fs::path& run, std::int64_t step,
                       ProgressSink* progress) {
  const fs::path target = protocol::RunLayout(run).checkpoint(step);
  ROADTUNE_TRY(const UniqueFd turn, waitToFetch(run, progress));
  std::error_code code;
  if (fs::exists(target / protocol::kCompleteMarker, code)) return {};
  const std::string there = fmt::format("{}/checkpoint-{}", runFolder, step);
  ROADTUNE_TRY(const std::string marker, session.output("cat " + shellQuote(there + "/" + protocol::kCompleteMarker)));
  return fetchSealed(session, there, marker, target, progress);
}

Status fetchBest(Session& session, const std::string& runFolder, const fs::path& run, ProgressSink* progress) {
  const fs::path target = protocol::RunLayout(run).best();
  const std::string there = runFolder + "/" + target.filename().string();
  ROADTUNE_TRY(const UniqueFd turn, waitToFetch(run, progress));
  ROADTUNE_TRY(const std::string marker,
               session.output("cat " + shellQuote(there + "/" + protocol::kCompleteMarker) + " 2>/dev/null; true"));
  const auto here = readFile(target / protocol::kCompleteMarker);
  if (marker.empty() || (here.ok() && here.value() == marker)) return {};
  return fetchSealed(session, there, marker, target, progress);
}

Result<std::string> sendCheckpoint(Session& session, const fs::path& checkpoint, const std::string& runFolder,
                                   ProgressSink* progress) {
  const std::string there = runFolder + "/" + checkpoint.filename().string();
  ROADTUNE_TRY(const std::string marker, readFile(checkpoint / protocol::kCompleteMarker));
  ROADTUNE_TRY(const auto files, protocol::readMarker(marker, checkpoint.string()));
  const std::string complete = shellQuote(there + "/" + protocol::kCompleteMarker);
  ROADTUNE_TRY(const std::string sealed, session.output("cat " + complete + " 2>/dev/null; true"));
  if (!sealed.empty() && sealed != marker) {  // another one of that step: it is not whole any longer
    ROADTUNE_TRY([[maybe_unused]] const std::string gone, session.output("rm -f " + complete));
  }
  for (const auto& file : files)
    ROADTUNE_CHECK(uploadFile(session, checkpoint / file.name, there + "/" + file.name, "644", progress));
  ROADTUNE_CHECK(uploadFile(session, checkpoint / protocol::kCompleteMarker, there + "/" + protocol::kCompleteMarker,
                            "644", progress));
  return there;
}

}  // namespace roadtune::remote
