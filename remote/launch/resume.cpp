// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/resume.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/host_name.h"
#include "core/config/resolve.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/last_word.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/cut_start.h"
#include "remote/launch/host_control.h"
#include "remote/launch/host_nodes.h"
#include "remote/launch/input_hashes.h"
#include "remote/launch/live_edits.h"
#include "remote/launch/mirror_starter.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/run_results.h"
#include "remote/launch/whereabouts.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/checkpoint_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

constexpr double kEventsLimit = 30;  // to catch up with what other machines wrote

// A run, what it was, and how it is to go on.
struct Revival {
  fs::path run;
  protocol::Manifest manifest;
  config::RunConfig config;
  config::Document document;
  RunPast past;
  RankPlan ranks;
  std::int64_t step = 0;
  std::optional<std::int64_t> best;  // another checkpoint that goes along
  StartedRun started;
};

// An agent that was killed, of which others had to say so: its ranks may outlive it.
bool wasLost(const fs::path& run, const protocol::Manifest& manifest) {
  return std::any_of(manifest.nodes.begin(), manifest.nodes.end(), [&](const auto& node) {
    const auto word = lastWord(protocol::RunLayout(run).nodeEvents(node.node));
    return word && word->reason == "lost";
  });
}

// Refuses while anything of the run may still live.
Status requireGone(const fs::path& run, const protocol::Manifest& manifest, const HostAccess& access, bool assumeGone) {
  const Error goingOn = badInput("the run is going on", run.string(), "roadtune attach " + shellQuote(run.string()));
  if (!runsElsewhere(manifest)) return isAlive(run) ? Status(goingOn) : requireNothingLeft(run);
  if (!isAliveElsewhere(run, manifest) && !wasLost(run, manifest)) return {};
  for (const auto& proof : proveGoneElsewhere(manifest, access)) {
    if (proof.gone) continue;
    if (proof.reached) return goingOn;
    if (!assumeGone)
      return failed("whether the run still goes on there is " + proof.left.front(), proof.host,
                    "--assume-gone when that machine is switched off for good");
  }
  return {};
}

Status chooseRanks(const ResumeRequest& request, Revival& revival) {
  const auto& nodes = revival.manifest.nodes;
  revival.ranks.processes = request.processesPerNode.value_or(nodes.empty() ? 1 : nodes.front().processes);
  if (revival.ranks.processes < 1) return badInput("a machine runs at least one process", "--nproc-per-node");
  revival.ranks.worldSize = revival.ranks.processes;
  if (revival.config.isSet("master_port"))
    revival.ranks.masterPort = static_cast<int>(revival.config.integer("master_port"));
  return {};
}

std::vector<std::string> hostsOf(const ResumeRequest& request, const protocol::Manifest& manifest) {
  if (request.hosts) return *request.hosts;
  std::vector<std::string> hosts;
  for (const auto& node : manifest.nodes)
    if (!node.address.empty()) hosts.push_back(node.address);
  return hosts;
}

// With restarts allowed the trainer itself looks for the newest one each time.
std::string resumeWord(const Revival& revival, const std::string& checkpoint) {
  return revival.config.integer("max_restarts") > 0 ? "latest" : checkpoint;
}

Status writeHere(Revival& revival, const std::string& checkpoint) {
  const protocol::RunLayout layout(revival.run);
  // What the copy here names is here: the checkpoint itself may have stayed on the machine that goes on.
  const fs::path here = layout.checkpoint(revival.step);
  std::error_code code;
  const std::string own = fs::exists(here / protocol::kCompleteMarker, code) ? here.string() : "latest";
  ROADTUNE_CHECK(revival.document.set("resume_from_checkpoint", resumeWord(revival, own)));
  ROADTUNE_CHECK(revival.document.save());
  revival.manifest.resumedFrom = checkpoint;
  revival.manifest.attempt += 1;
  revival.manifest.configHash = sha256Hex(revival.document.text());
  return protocol::writeManifest(layout.manifest(), revival.manifest);
}

// The checkpoint of the best evaluation comes along where best/ is to be made of it. What cannot be had is said.
void bringBestHere(Revival& revival, const HostAccess& access, ProgressSink* progress) {
  if (!revival.config.flag("load_best_model_at_end")) return;
  revival.best = bestStepOf(protocol::RunLayout(revival.run).checkpoint(revival.step));
  if (!revival.best) return;
  const auto brought = bringCheckpoint(revival.run, revival.best, access, progress);
  if (brought.ok()) return;
  revival.started.notes.push_back(
      fmt::format("the best model so far is lost: checkpoint-{} cannot be had ({}); best/ needs a better evaluation",
                  *revival.best, brought.error().text()));
  revival.best.reset();
}

Status resumeHere(Revival& revival, const HostAccess& access, ProgressSink* progress) {
  ROADTUNE_TRY(const fs::path checkpoint, bringCheckpoint(revival.run, revival.step, access, progress));
  bringBestHere(revival, access, progress);
  const protocol::Manifest before = revival.manifest;
  revival.manifest.nodes = {{.node = 0, .host = hostName(), .processes = revival.ranks.processes}};
  noteMove(before, revival.step, revival.manifest);
  ROADTUNE_CHECK(writeHere(revival, checkpoint.string()));
  revival.started.resumedFrom = checkpoint.string();
  auto agent =
      startAgentHere(revival.run, revival.ranks, rankVariables(revival.config), supervisionOf(revival.config, 1));
  if (!agent.ok()) {
    ROADTUNE_CHECK(protocol::writeManifest(protocol::RunLayout(revival.run).manifest(), before));
    return agent.error();
  }
  revival.started.agent = std::move(agent).value();
  return {};
}

// The files that a node goes on with: its own, and those of the ranks it will run. A longer ledger is the same one, of
// which not all has arrived here.
Status bringFilesThere(HostNode& node, const Revival& revival, int number) {
  const protocol::RunLayout layout(revival.run);
  std::vector<fs::path> files{layout.nodeEvents(number), layout.agentLog(number)}, growing;
  for (int rank = number * revival.ranks.processes; rank < (number + 1) * revival.ranks.processes; ++rank) {
    files.push_back(layout.rankEvents(rank));
    files.push_back(layout.rankLog(rank));
    growing.push_back(layout.rankLedger(rank));
    growing.push_back(layout.provenance() / layout.rankLedger(rank).filename());
  }
  std::error_code code;
  const auto there = [&](const fs::path& file) {
    return node.folder + "/" + fs::relative(file, revival.run, code).generic_string();
  };
  for (const auto& file : growing) {
    const auto size = fs::file_size(file, code);
    if (code) continue;
    ROADTUNE_TRY(const std::string has,
                 node.session.output(fmt::format("mkdir -p {}; stat -c %s {} 2>/dev/null; true",
                                                 shellQuote(fs::path(there(file)).parent_path().string()),
                                                 shellQuote(there(file)))));
    if (std::strtoull(has.c_str(), nullptr, 10) < size) files.push_back(file);
  }
  for (const auto& file : files)
    if (fs::exists(file, code)) ROADTUNE_CHECK(uploadFile(node.session, file, there(file)));
  return {};
}

// Returns the checkpoint's folder over there.
Result<std::string> prepareThere(HostNode& node, const Revival& revival, int number, const CheckpointPlaces& places,
                                 ProgressSink* progress) {
  ROADTUNE_CHECK(bringFilesThere(node, revival, number));
  std::string checkpoint = fmt::format("{}/checkpoint-{}", node.folder, revival.step);
  ROADTUNE_TRY(const auto there, checkpointsThere(node.session, node.folder));
  const bool stays = node.name == places.host && node.folder == places.folder;
  if (!stays || std::find(there.begin(), there.end(), revival.step) == there.end()) {
    ROADTUNE_TRY(checkpoint, sendCheckpoint(node.session, protocol::RunLayout(revival.run).checkpoint(revival.step),
                                            node.folder, progress));
  }
  config::Document document = revival.document;
  ROADTUNE_CHECK(document.set("resume_from_checkpoint", resumeWord(revival, checkpoint)));
  ROADTUNE_CHECK(sendConfig(node, std::move(document), revival.config));
  ROADTUNE_CHECK(sendText(node, manifestForNodes(revival.run, revival.manifest), node.folder + "/manifest.json"));
  return checkpoint;
}

Status sendBest(HostNode& node, const Revival& revival, ProgressSink* progress) {
  ROADTUNE_TRY(const auto there, checkpointsThere(node.session, node.folder));
  if (std::find(there.begin(), there.end(), *revival.best) != there.end()) return {};
  const auto sent =
      sendCheckpoint(node.session, protocol::RunLayout(revival.run).checkpoint(*revival.best), node.folder, progress);
  return sent.ok() ? Status() : Status(sent.error());
}

// As it goes on: what it began with is not asked for.
Result<config::RunConfig> goingOn(const Revival& revival) {
  config::Document document = revival.document;
  const fs::path checkpoint = protocol::RunLayout(revival.run).checkpoint(revival.step);
  ROADTUNE_CHECK(document.set("resume_from_checkpoint", config::Value(checkpoint.string())));
  ROADTUNE_CHECK(document.unset("max_restarts"));  // which would want the latest one
  const auto resolution = config::resolve(document);
  return resolution.config.value_or(revival.config);
}

Status resumeThere(Revival& revival, const std::vector<std::string>& hosts, const CheckpointPlaces& places,
                   const HostAccess& access, ProgressSink* progress) {
  ROADTUNE_TRY(const config::RunConfig config, goingOn(revival));
  ROADTUNE_TRY(std::vector<HostNode> nodes, connectHosts(hosts, config, access, progress));
  // It stays where it is when only that machine goes on; else it comes here and goes out from here.
  const std::string first = fmt::format("{}/runs/{}/n0", nodes.front().deployed.home, revival.manifest.runId);
  const bool stays = hosts.size() == 1 && hosts.front() == places.host && first == places.folder &&
                     std::find(places.there.begin(), places.there.end(), revival.step) != places.there.end();
  if (!stays) {
    const auto brought = bringCheckpoint(revival.run, revival.step, access, progress);
    if (!brought.ok()) return brought.error();
    bringBestHere(revival, access, progress);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ROADTUNE_CHECK(wake(nodes[i], access));
    ROADTUNE_CHECK(makeFolderThere(nodes[i], revival.manifest.runId, static_cast<int>(i)));
    ROADTUNE_TRY(const std::string checkpoint, prepareThere(nodes[i], revival, static_cast<int>(i), places, progress));
    if (i == 0) revival.started.resumedFrom = nodes[i].name + ":" + checkpoint;
    if (i == 0 && revival.best)  // rank 0 makes best/ of it
      ROADTUNE_CHECK(sendBest(nodes[i], revival, progress));
  }
  ROADTUNE_CHECK(wakeAll(nodes, access));
  HostStart start{.ranks = revival.ranks,
                  .supervision = supervisionOf(revival.config, static_cast<int>(nodes.size())),
                  .masterGiven = revival.config.isSet("master_addr"),
                  .environment = rankVariables(revival.config)};
  if (start.masterGiven) start.ranks.masterAddress = revival.config.text("master_addr");
  const protocol::Manifest before = revival.manifest;
  nameNodes(nodes, start, revival.manifest);
  noteMove(before, revival.step, revival.manifest);
  ROADTUNE_CHECK(writeHere(revival, revival.started.resumedFrom));
  Status status = startAgents(nodes, start, revival.manifest, revival.started);
  if (status.ok()) status = protocol::writeManifest(protocol::RunLayout(revival.run).manifest(), revival.manifest);
  if (status.ok()) {
    leaveWhereabouts(nodes, revival.run, revival.manifest);
    return {};
  }
  ROADTUNE_CHECK(takeBack(nodes, revival.run, before, revival.manifest, status.error()));
  return status;
}

// A run whose folder is moved while it goes on still saves where it began. Its newest checkpoint there, or nothing.
std::optional<fs::path> checkpointWhereItBegan(const Revival& revival) {
  const fs::path began = revival.config.text("output_dir");
  std::error_code code;
  if (!began.is_absolute() || fs::equivalent(began, revival.run, code)) return std::nullopt;
  const auto newest = protocol::RunLayout(began).lastCompleteCheckpoint();
  bool ours = false;
  protocol::EventReader events(protocol::RunLayout(revival.run).rankEvents(0));
  [[maybe_unused]] const Status read = events.pollFlat([&](const protocol::FlatEvent& event) {
    ours |= newest && event.kind == "checkpoint" && event.members.textOr("path") == newest->path.filename().string();
  });
  return ours ? std::optional(newest->path) : std::nullopt;
}

Error nothingToContinueFrom(const Revival& revival, const std::vector<std::string>& damaged) {
  if (const auto began = checkpointWhereItBegan(revival))
    return badInput(
        "this folder holds no complete checkpoint: the run went on to save where it began, last as " + began->string(),
        revival.run.string(), fmt::format("mv {} {}, then resume again", began->string(), revival.run.string()));
  return failed("there is no complete checkpoint to continue from" +
                    (damaged.empty() ? "" : ": " + fmt::format("{}", fmt::join(damaged, "; "))),
                revival.run.string(), "start it again with overwrite_output_dir: true, or with a smaller save_steps");
}

// Where the words of rank 0 end that it said before this start.
protocol::ReaderPosition toldBefore(const protocol::RunLayout& layout) {
  protocol::EventReader events(layout.rankEvents(0));
  [[maybe_unused]] const Status read = events.pollFlat([](const protocol::FlatEvent&) {});
  return events.tell();
}

void setRateAgain(const Revival& revival, const Prompts& prompts) {
  if (!revival.past.edits.learningRate || !revival.past.rateAfterCheckpoint) return;
  protocol::ControlCommand command{.word = protocol::ControlWord::Set};
  command.edit.learningRate = revival.past.edits.learningRate;
  [[maybe_unused]] const auto told = sendControl(revival.run, command, prompts);
}

}  // namespace

Result<StartedRun> resumeRun(const ResumeRequest& request, const Prompts& prompts, ProgressSink* progress) {
  ROADTUNE_TRY(const fs::path run, findRun(request.run));
  const protocol::RunLayout layout(run);
  std::error_code absent;
  if (!fs::exists(layout.manifest(), absent))
    return badInput("has no manifest.json: roadtune train did not start this run", run.string(),
                    "start it with its own launcher again, with resume_from_checkpoint: latest");
  const bool goesElsewhere = request.hosts && !request.hosts->empty();
  ROADTUNE_TRY(const HostAccess access, goesElsewhere ? HostAccess::load(prompts) : HostAccess::loadFor(run, prompts));
  ROADTUNE_TRY([[maybe_unused]] UniqueFd turn, holdStart(run));
  ROADTUNE_TRY(protocol::Manifest manifest, protocol::readManifest(layout.manifest()));
  ROADTUNE_CHECK(requireGone(run, manifest, access, request.assumeGone));
  ROADTUNE_TRY(config::RunConfig config, config::loadRunConfig(layout.config()));
  if (config.flag("save_only_model"))
    return badInput("its checkpoints hold weights alone (save_only_model: true): there is nothing to continue from",
                    run.string(), "start a new run from the weights of its last checkpoint");
  ROADTUNE_TRY(config::Document document, config::Document::load(layout.config()));
  Revival revival{.run = run,
                  .manifest = std::move(manifest),
                  .config = std::move(config),
                  .document = std::move(document),
                  .past = {},
                  .ranks = {},
                  .best = {},
                  .started = {.folder = run}};
  const auto unreachable = request.assumeGone ? Unreachable::PassOver : Unreachable::Refuse;
  if (const Status brought = bringEvents(run, access, kEventsLimit, unreachable); !brought.ok() && !request.assumeGone)
    return brought.error();
  [[maybe_unused]] const Status results = bringResults(run, access, progress);  // what it said on machines it leaves
  CheckpointPlaces places = findCheckpoints(run, access);
  if (!places.unreachable.empty() && !request.assumeGone) return failed(places.unreachable, places.host);
  ROADTUNE_TRY(const auto damaged, setAsideDamaged(run, places, access));
  const auto newest = places.newest();
  if (!newest) return nothingToContinueFrom(revival, damaged);
  revival.step = *newest;
  revival.past = pastOf(layout, revival.step);
  revival.started.told = toldBefore(layout);
  revival.started.repeatedSteps = std::max<std::int64_t>(0, revival.past.lastStep - revival.step);
  ROADTUNE_TRY(revival.started.notes, keepEdits(revival.past, revival.document));
  revival.started.notes.insert(revival.started.notes.begin(), damaged.begin(), damaged.end());
  for (std::string& note : changedInputs(revival.manifest, revival.config))
    revival.started.notes.push_back(std::move(note));
  ROADTUNE_CHECK(chooseRanks(request, revival));
  const auto hosts = hostsOf(request, revival.manifest);
  if (hosts.empty())
    ROADTUNE_CHECK(resumeHere(revival, access, progress));
  else
    ROADTUNE_CHECK(resumeThere(revival, hosts, places, access, progress));
  turn.reset();  // whom the run consists of is written down
  startMirror(run, revival.config);
  setRateAgain(revival, prompts);
  return revival.started;
}

}  // namespace roadtune::remote
