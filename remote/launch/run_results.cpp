// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_results.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/config/resolve.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/ssh/download.h"
#include "remote/ssh/shell_quote.h"
#include "remote/transfer/checkpoint_transfer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFindResults =
    "cd {} 2>/dev/null && for f in predictions/* *_results.json; do [ -f \"$f\" ] && "
    "echo \"$(sha256sum < \"$f\" | cut -c1-64) $(stat -c %s \"$f\") $f\"; done; true";

// "<hash> <bytes> predictions/step-10.jsonl", below the run's folder.
std::optional<RemoteFile> resultIn(const std::string& line) {
  const auto words = split(line, ' ');
  if (words.size() != 3 || words[0].size() != 64 || !staysBelow(words[2])) return {};
  return RemoteFile{words[2], std::strtoull(words[1].c_str(), nullptr, 10), words[0]};
}

// `lines`: what that machine says lies in its folder of the run.
Status bringFiles(Session& session, const std::string& folder, const std::string& lines, const fs::path& run,
                  ProgressSink* progress) {
  ROADTUNE_TRY(const UniqueFd turn, waitToFetch(run, progress));
  for (const auto& line : split(lines, '\n')) {
    auto file = resultIn(line);
    if (!file) continue;
    const fs::path target = run / file->path;
    file->path = folder + "/" + file->path;
    ROADTUNE_CHECK(makeFolders(target.parent_path()));
    ROADTUNE_CHECK(downloadFile(session, *file, target, progress));
  }
  return {};
}

}  // namespace

Status bringResults(const fs::path& run, const HostAccess& access, ProgressSink* progress) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok()) return {};
  for (const auto& node : manifest.value().nodes) {
    if (node.node != 0 || node.address.empty()) continue;
    ROADTUNE_TRY(Session session, access.connect(node.address));
    ROADTUNE_TRY(const std::string lines,
                 session.output(fmt::format(fmt::runtime(kFindResults), shellQuote(node.folder))));
    ROADTUNE_CHECK(bringFiles(session, node.folder, lines, run, progress));
    ROADTUNE_CHECK(fetchBest(session, node.folder, run, progress));
  }
  return {};
}

std::optional<std::int64_t> bestStepOf(const fs::path& checkpoint) {
  const auto text = readFile(checkpoint / "trainer_state.json");
  if (!text.ok()) return {};
  const auto state = nlohmann::json::parse(text.value(), nullptr, false);
  if (!state.is_object()) return {};
  const auto best = state.find("best_global_step");
  if (best == state.end() || !best->is_number_integer()) return {};
  const auto step = best->get<std::int64_t>();
  return step == protocol::checkpointStep(checkpoint.filename().string()) ? std::nullopt : std::optional(step);
}

std::string bestMissing(const fs::path& run) {
  const protocol::RunLayout layout(run);
  std::error_code absent;
  const auto config = config::loadRunConfig(layout.config());
  if (!config.ok() || !config.value().flag("load_best_model_at_end")) return {};
  if (fs::exists(layout.best() / protocol::kCompleteMarker, absent)) return {};
  std::string why = "the run did not write it";
  protocol::EventReader events(layout.rankEvents(0));
  [[maybe_unused]] const Status read = events.pollFlat([&why](const protocol::FlatEvent& event) {
    const std::string message = event.kind == "warning" ? event.members.textOr("message") : "";
    if (startsWith(message, "the best model")) why = message;
    if (event.kind == "best") why = "it lies on the machine that wrote it";
  });
  return why;
}

}  // namespace roadtune::remote
