// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/run_folder.h"

#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/config/resolve.h"
#include "core/config/run_files.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/leftovers.h"
#include "remote/agent/spare_room.h"
#include "remote/launch/input_hashes.h"
#include "remote/launch/run_control.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace roadtune::remote {

namespace {

constexpr const char* kLogsAside = "logs.1";  // of the start before, which trained nothing
constexpr const char* kStartLock = ".start.lock";
constexpr double kStartPatience = 5;  // for another program that starts a run in the same folder

// What belongs to a run in its folder; everything else there is the user's. The lock of its start tells nothing of it.
std::vector<fs::path> runFiles(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(folder, ignored)) {
    const std::string name = item.path().filename().string();
    if (config::isRunFile(name) || startsWith(name, kSpareRoomPrefix) ||
        ((startsWith(name, "agent-") || startsWith(name, ".mirror-")) && endsWith(name, ".lock")))
      found.push_back(item.path());
  }
  return found;
}

Status clear(const fs::path& folder, const std::string& kept = {}) {
  for (const auto& path : runFiles(folder)) {
    if (path.filename() == kept) continue;
    std::error_code error;
    fs::remove_all(path, error);
    if (error) return systemError(error.value(), "cannot remove the former run", path.string());
  }
  return {};
}

// What the events of one writer tell in the end.
struct Spoken {
  bool goodbye = false;  // its last word
  bool trained = false;  // or what lies there cannot be read to its end
  int named = 0;         // processes that it has started since its last hello
};

Spoken spokenIn(const fs::path& events) {
  Spoken spoken;
  protocol::EventReader reader(events);
  const Status read = reader.pollFlat([&spoken](const protocol::FlatEvent& event) {
    spoken.goodbye = event.kind == "bye";
    spoken.trained |= event.kind == "step" || event.kind == "eval" || event.kind == "checkpoint";
    if (event.kind == "hello") spoken.named = 0;
    spoken.named += event.kind == "process" && event.members.textOr("state") == "started";
  });
  spoken.trained |= !read.ok() || reader.counts().missing > 0;
  return spoken;
}

bool hasTrained(const protocol::RunLayout& layout) {
  std::error_code ignored;
  if (!layout.checkpoints().empty() || fs::exists(layout.best(), ignored)) return true;
  const auto ranks = layout.ranksWithEvents();
  return std::any_of(ranks.begin(), ranks.end(), [&](int rank) { return spokenIn(layout.rankEvents(rank)).trained; });
}

bool saidGoodbye(const protocol::RunLayout& layout) {
  const auto nodes = layout.nodesWithEvents(), ranks = layout.ranksWithEvents();
  return std::any_of(nodes.begin(), nodes.end(), [&](int n) { return spokenIn(layout.nodeEvents(n)).goodbye; }) ||
         std::any_of(ranks.begin(), ranks.end(), [&](int r) { return spokenIn(layout.rankEvents(r)).goodbye; });
}

// Other machines of the run that lies there: this one cannot tell what lives on them.
std::string otherMachines(const protocol::Manifest& manifest) {
  std::vector<std::string> others;
  for (const auto& node : manifest.nodes)
    if (!node.address.empty() || node.host != hostName())
      others.push_back(node.address.empty() ? node.host : node.address);
  return join(others, ", ");
}

// Gone without a word, as when the power fails. Certain only where all of it was on this machine, and its agent came so
// far as to name itself and its ranks: the manifest of a start that has only begun names no agent.
bool hasVanished(const protocol::RunLayout& layout) {
  const auto manifest = protocol::readManifest(layout.manifest());
  if (!manifest.ok() || manifest.value().nodes.empty() || !otherMachines(manifest.value()).empty()) return false;
  return std::all_of(manifest.value().nodes.begin(), manifest.value().nodes.end(), [&](const auto& node) {
    const Spoken spoken = spokenIn(layout.nodeEvents(node.node));
    return node.agentPid > 0 && !isAlive(ProcessId{static_cast<pid_t>(node.agentPid), node.agentStart}) &&
           !spoken.trained && spoken.named >= node.processes && leftovers(layout.root(), node.node).empty();
  });
}

// A start that is over before its first step: nothing in its folder is worth keeping but the logs, which tell why.
bool trainedNothing(const fs::path& folder) {
  const protocol::RunLayout layout(folder);
  return !hasTrained(layout) && !isAlive(folder) && (saidGoodbye(layout) || hasVanished(layout));
}

// The machines on which a start may go on that has trained nothing yet and has not said how it ended.
std::string silentMachines(const fs::path& folder) {
  const protocol::RunLayout layout(folder);
  const auto manifest = protocol::readManifest(layout.manifest());
  const std::string others = manifest.ok() ? otherMachines(manifest.value()) : "";
  return others.empty() || hasTrained(layout) ? "" : others;
}

// Removes the former run. The logs of one that trained nothing stay beside those to come.
Status makeRoom(const fs::path& folder) {
  if (!trainedNothing(folder)) return clear(folder);
  std::error_code ignored;
  fs::remove_all(folder / kLogsAside, ignored);
  fs::rename(protocol::RunLayout(folder).logs(), folder / kLogsAside, ignored);
  return clear(folder, kLogsAside);
}

protocol::Manifest manifestOf(const LaunchPlan& plan, const std::string& yaml) {
  protocol::Manifest manifest;
  manifest.created = wallSeconds();
  manifest.runId = plan.runId;
  if (plan.runId.empty())
    manifest.runId =
        protocol::makeRunId(manifest.created, hash64(plan.folder.string(), static_cast<std::uint64_t>(::getpid())));
  manifest.name = plan.config.text("run_name");
  manifest.roadtuneVersion = ROADTUNE_VERSION;
  manifest.model = plan.config.text("model_name_or_path");
  manifest.method = plan.config.text("finetuning_type");
  manifest.command = plan.commandLine;
  manifest.configHash = sha256Hex(yaml);
  manifest.worldSize = plan.ranks.worldSize;
  manifest.masterAddress = plan.ranks.masterAddress;
  manifest.masterPort = plan.ranks.masterPort;
  manifest.nodes.push_back({.node = 0, .host = hostName(), .processes = plan.ranks.processes});
  return manifest;
}

// A name that no folder can have is a mistake in the configuration; a disk that is full is none.
Status checkName(const fs::path& folder) {
  std::error_code code;
  const fs::file_status link = fs::symlink_status(folder, code);
  if (code == std::errc::filename_too_long)
    return badInput("output_dir is too long a name", folder.string(), "another output_dir");
  if (fs::is_symlink(link) && !fs::exists(folder, code))
    return badInput("output_dir is a link that leads nowhere", folder.string(), "another output_dir");
  return {};
}

Status makeRunFolder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  for (const auto mistake : {std::errc::no_such_file_or_directory, std::errc::file_exists, std::errc::invalid_argument,
                             std::errc::filename_too_long, std::errc::too_many_symbolic_link_levels})
    if (code == mistake)
      return badInput("output_dir cannot be made there: " + code.message(), folder.string(), "another output_dir");
  return makeFolders(folder);
}

}  // namespace

Status requireNothingLeft(const fs::path& folder) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder).manifest());
  // The processes of other machines bear numbers that tell nothing of the processes of this one.
  const auto isElsewhere = [&manifest](int number) {
    return manifest.ok() && std::any_of(manifest.value().nodes.begin(), manifest.value().nodes.end(),
                                        [&](const auto& node) { return node.node == number && !node.address.empty(); });
  };
  for (const int node : protocol::RunLayout(folder).nodesWithEvents()) {
    if (isElsewhere(node)) continue;
    if (const auto left = leftovers(folder, node); !left.empty())
      return badInput(fmt::format("its agent is gone, but not {}", left.front()), folder.string(),
                      "roadtune stop " + shellQuote(folder.string()) + " --now");
  }
  return {};
}

Status checkFolderFree(const fs::path& folder, bool overwrite) {
  std::error_code ignored;
  ROADTUNE_CHECK(checkName(folder));
  if (!fs::exists(folder, ignored)) return {};
  if (!fs::is_directory(folder, ignored))
    return badInput("is a file, not a folder", folder.string(), "another output_dir");
  if (AgentLock::holder(folder, 0))
    return badInput("a run is going on in this folder", folder.string(),
                    "another output_dir, or end it with: roadtune stop " + folder.string());
  ROADTUNE_CHECK(requireNothingLeft(folder));
  const auto manifest = protocol::readManifest(protocol::RunLayout(folder).manifest());
  if (overwrite && manifest.ok() && runsElsewhere(manifest.value()) && isAlive(folder))
    return badInput("a run goes on in this folder, as far as is known here, on " + otherMachines(manifest.value()),
                    folder.string(),
                    fmt::format("roadtune stop {0}, roadtune attach {0}, or another output_dir", folder.string()));
  if (overwrite || runFiles(folder).empty() || trainedNothing(folder)) return {};
  const std::string silent = silentMachines(folder);
  const std::string look = silent.empty() ? "roadtune resume " + shellQuote(folder.string())
                                          : fmt::format("see on {} whether it still goes on", silent);
  return badInput("output_dir already holds a run", folder.string(),
                  look + ", another output_dir, or overwrite_output_dir: true");
}

fs::path nextFreeFolder(const fs::path& folder) {
  const fs::path whole = folder.has_filename() ? folder : folder.parent_path();
  std::string name = whole.filename().string();
  // "demo-2" counts on; the number of "waymo-detect-448" is a part of its name.
  const auto dash = name.rfind('-');
  const std::string digits = dash == std::string::npos ? std::string() : name.substr(dash + 1);
  int number = 1;
  if (dash > 0 && !digits.empty() && digits.size() <= 2 &&
      digits.find_first_not_of("0123456789") == std::string::npos) {
    number = std::stoi(digits);
    name.resize(dash);
  }
  std::error_code ignored;
  fs::path next;
  do {
    next = whole.parent_path() / fmt::format("{}-{}", name, ++number);
  } while (fs::exists(next, ignored));
  return next;
}

fs::path startLock(const fs::path& run) { return run / kStartLock; }

Result<UniqueFd> holdStart(const fs::path& run) {
  ROADTUNE_TRY(auto held, tryLock(startLock(run)));
  if (held) return std::move(*held);
  return failed("another program is starting this run", run.string(), "roadtune attach " + shellQuote(run.string()));
}

Result<UniqueFd> createRunFolder(const LaunchPlan& plan) {
  const bool overwrite = plan.config.flag("overwrite_output_dir");
  ROADTUNE_CHECK(checkFolderFree(plan.folder, overwrite));  // before anything is written there
  ROADTUNE_CHECK(makeRunFolder(plan.folder));
  const double deadline = monotonicSeconds() + kStartPatience;
  auto turn = waitForLock(startLock(plan.folder), [deadline] { return monotonicSeconds() < deadline; });
  if (!turn.ok() && turn.error().kind != ErrorKind::Cancelled) return turn.error();
  if (!turn.ok())
    return badInput("another program is starting a run in this folder", plan.folder.string(), "another output_dir");
  ROADTUNE_CHECK(checkFolderFree(plan.folder, overwrite));  // another may have begun while this one waited
  InputHashes hashes = hashInputs(plan.config);  // takes long: a start that dies meanwhile has removed nothing
  ROADTUNE_CHECK(makeRoom(plan.folder));
  const protocol::RunLayout layout(plan.folder);
  const std::string yaml = config::frozenYaml(plan.document, plan.config);
  // Variables for the ranks may be keys.
  const bool secret = !plan.config.textMap("environment").empty();
  ROADTUNE_CHECK(writeFileAtomically(layout.config(), yaml, secret ? kForMe : kForAll));
  ROADTUNE_CHECK(makeFolders(layout.events()));
  ROADTUNE_CHECK(makeFolders(layout.logs()));
  protocol::Manifest manifest = manifestOf(plan, yaml);
  manifest.dataHashes = std::move(hashes.data);
  manifest.weightHashes = std::move(hashes.weights);
  ROADTUNE_CHECK(protocol::writeManifest(layout.manifest(), manifest));
  return turn;
}

Status removeRunFiles(const fs::path& folder) {
  ROADTUNE_CHECK(clear(folder));
  std::error_code ignored;
  fs::remove(startLock(folder), ignored);
  fs::remove(folder, ignored);  // unless something else lies in it
  return {};
}

void sayNeverBegan(const fs::path& folder, const Error& error) {
  const protocol::RunLayout layout(folder);
  const bool first = layout.nodesWithEvents().empty();
  auto events = protocol::EventWriter::open(layout.nodeEvents(0), 0);
  if (!events.ok()) return;
  if (first) events.value()->write("hello", 0, {{"host", hostName()}});
  events.value()->write("bye", 0,
                        {{"reason", "failed"}, {"exit_code", exitCode(error.kind)}, {"message", error.text()}});
}

Result<fs::path> findRun(const fs::path& folder) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (!fs::is_directory(absolute, error))
    return badInput("there is no such folder", folder.string(),
                    "the output_dir of a run; `roadtune runs ls` lists them");
  if (!protocol::RunLayout(absolute).isRun())
    return badInput("holds no run (no run.yaml with events)", folder.string(), "the output_dir of a run");
  return absolute;
}

}  // namespace roadtune::remote
