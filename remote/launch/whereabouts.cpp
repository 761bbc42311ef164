// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/whereabouts.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/this_user.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/meeting_address.h"
#include "remote/ssh/shell_quote.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::remote {

namespace {

constexpr const char* kFile = "whereabouts.json";

// For every run: its folder, the manifest, and the last line of the node's events, which an agent ends with "bye".
constexpr const char* kLook =
    "cd \"$HOME/.roadtune/runs\" 2>/dev/null || exit 0\n"
    "for f in */n*/whereabouts.json; do\n"
    "  [ -f \"$f\" ] || continue\n"
    "  d=${f%/whereabouts.json}\n"
    "  printf '%s\\t' \"$PWD/$d\"; tr -d '\\n' < \"$f\"; printf '\\t'\n"
    "  cat \"$d\"/events/node-*.jsonl 2>/dev/null | tail -n 1 | tr -d '\\n'; echo\n"
    "done\n";

std::optional<RunThere> readRun(const std::string& line) {
  const auto parts = split(line, '\t');
  if (parts.size() != 3) return std::nullopt;
  auto manifest = protocol::manifestFromJson(nlohmann::json::parse(parts[1], nullptr, false), parts[0]);
  if (!manifest.ok() || manifest.value().nodes.empty()) return std::nullopt;
  const auto last = nlohmann::json::parse(parts[2], nullptr, false);
  return RunThere{std::move(manifest).value(), parts[0],
                  last.is_object() && last.contains("kind") && last["kind"] == "bye"};
}

std::string titleOf(const RunThere& run) { return run.manifest.name.empty() ? run.manifest.runId : run.manifest.name; }

// How this machine gets to the run's others: as the one that started it did, but for the one that was asked now, and
// for one that was that machine itself.
void nameMachines(protocol::Manifest& manifest, const RunThere& run, const std::string& host) {
  for (auto& node : manifest.nodes) {
    if (node.folder == run.folder) node.address = host;
    if (node.address == "localhost" || isLoopback(node.address)) node.address = node.host;
  }
}

}  // namespace

void leaveWhereabouts(std::vector<HostNode>& nodes, const fs::path& run, const protocol::Manifest& manifest) {
  protocol::Manifest whole = manifest;
  if (whole.name.empty()) whole.name = run.filename().string();
  const std::string text = jsonLine(toJson(whole)) + "\n";
  for (auto& node : nodes) [[maybe_unused]] const Status left = sendText(node, text, node.folder + "/" + kFile);
}

Result<std::vector<RunThere>> runsOn(const std::string& host, const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(host));
  ROADTUNE_TRY(const std::string lines, session.output(kLook));
  std::vector<RunThere> runs;
  for (const std::string& line : split(lines, '\n'))
    if (auto run = readRun(line)) runs.push_back(std::move(*run));
  std::stable_sort(runs.begin(), runs.end(),
                   [](const RunThere& a, const RunThere& b) { return a.manifest.created > b.manifest.created; });
  return runs;
}

Result<RunThere> chooseRun(const std::vector<RunThere>& runs, const std::string& host, const std::string& named) {
  std::vector<RunThere> found;
  std::vector<std::string> known;
  for (const RunThere& run : runs) {
    known.push_back(titleOf(run));
    if (named.empty() || run.manifest.runId == named || run.manifest.name == named) found.push_back(run);
  }
  if (runs.empty())
    return missing("keeps no run that another machine could follow", host,
                   "those that were started from other machines are there");
  if (found.empty()) {
    const std::string nearest = nearestWord(named, known);
    return badInput("there is no run '" + named + "'", host, nearest.empty() ? join(known, ", ") : nearest);
  }
  if (found.size() > 1) {
    known.clear();
    for (const RunThere& run : found) known.push_back(run.manifest.runId);
    return badInput("there are several: " + join(known, ", "), host, "name one by its id");
  }
  return found.front();
}

fs::path adoptedFolder(const RunThere& run) {
  const fs::path parent = userDataFolder() / "roadtune" / "runs";
  const std::string title = fs::path(titleOf(run)).filename().string();
  fs::path folder = parent / title;
  const auto there = protocol::readManifest(protocol::RunLayout(folder).manifest());
  std::error_code unknown;
  const bool free = !fs::exists(folder, unknown) || (there.ok() && there.value().runId == run.manifest.runId);
  return free ? folder : parent / (title + "-" + run.manifest.runId);
}

Status adoptRun(const RunThere& run, const std::string& host, const fs::path& folder, const HostAccess& access) {
  const protocol::RunLayout layout(folder);
  if (const auto there = protocol::readManifest(layout.manifest()); there.ok()) {
    if (there.value().runId == run.manifest.runId) return {};
    return badInput("holds another run", folder.string(), "name another folder");
  }
  std::error_code unknown;
  if (fs::exists(folder, unknown) && !fs::is_empty(folder, unknown))
    return badInput("is not empty", folder.string(), "name another folder");
  ROADTUNE_TRY(Session session, access.connect(host));
  ROADTUNE_TRY(const std::string config, session.output("cat " + shellQuote(run.folder + "/run.yaml")));
  protocol::Manifest manifest = run.manifest;
  nameMachines(manifest, run, host);
  ROADTUNE_CHECK(makeFolders(layout.events()));
  ROADTUNE_CHECK(makeFolders(layout.logs()));
  ROADTUNE_CHECK(writeFileAtomically(layout.config(), config, kForMe));
  return protocol::writeManifest(layout.manifest(), manifest);
}

}  // namespace roadtune::remote
