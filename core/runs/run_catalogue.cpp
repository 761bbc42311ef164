// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_catalogue.h"

#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "core/runs/comparison.h"
#include "core/runs/loss_course.h"
#include "core/runs/run_glimpse.h"
#include "core/runs/run_state.h"
#include "core/runs/run_store_impl.h"
#include "core/runs/tensorboard_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace roadtune::runs {

namespace {

using protocol::FlatEvent;
using protocol::RunLayout;

constexpr std::size_t kHeadBytes = 16 * 1024;
constexpr std::size_t kTailBytes = 64 * 1024;
constexpr std::uintmax_t kForeignBytes = 4 << 20;  // of a foreign file, from its start

fs::path cleaned(const fs::path& path) {
  fs::path clean = fs::absolute(path).lexically_normal();
  return clean.has_filename() ? clean : clean.parent_path();
}

std::optional<double> lastOf(const RunFacts& facts, std::string_view metric) {
  const auto found = facts.series.find(metric);
  if (found == facts.series.end() || found->second.empty()) return {};
  return found->second.last().value;
}

// The setting as the text says it; sections are optional grouping.
std::string settingIn(const std::vector<std::pair<std::string, std::string>>& settings, const std::string& name) {
  for (const auto& [key, value] : settings)
    if (key == name || key.ends_with("." + name)) return value;
  return {};
}

void takeManifest(const RunLayout& layout, const Result<protocol::Manifest>& manifest, RunEntry& entry,
                  StateClues& clues) {
  if (manifest.ok()) {
    entry.id = manifest.value().runId;
    entry.name = manifest.value().name;
    entry.model = manifest.value().model;
    entry.method = manifest.value().method;
    entry.worldSize = manifest.value().worldSize;
    entry.started = manifest.value().created;
    clues.stale = isUnfollowed(layout, manifest.value());
    clues.heard = lastHeard(layout, manifest.value());
    for (const auto& node : manifest.value().nodes) {
      if (node.agentPid > 0 && node.address.empty())
        clues.witnesses.push_back({node.host, node.agentPid, node.agentStart});
      entry.resumable = entry.resumable || !node.address.empty();
    }
  }
  if (!entry.model.empty()) return;
  const Result<std::string> text = readFile(layout.config());
  if (!text.ok()) return;
  const auto settings = flattenSettings(text.value());
  entry.model = settingIn(settings, "model_name_or_path");
  if (entry.method.empty()) entry.method = settingIn(settings, "finetuning_type");
  if (entry.name.empty()) entry.name = settingIn(settings, "run_name");
}

// The hello of the agent may lie between the stretches that were read: then its whole file is.
bool startedAgain(const RunLayout& layout, const Result<protocol::Manifest>& manifest, const RunFacts& facts) {
  const auto agent = facts.agents.find(0);
  if (agent == facts.agents.end() || !manifest.ok() || !isStartedAgain(manifest.value(), agent->second.pid))
    return false;
  std::int64_t last = 0;
  protocol::EventReader reader(layout.nodeEvents(0));
  [[maybe_unused]] const Status read = reader.pollFlat([&last](const FlatEvent& event) {
    if (event.kind == "hello") last = event.members.integerOr("pid", 0);
  });
  return isStartedAgain(manifest.value(), last);
}

void takeFacts(const RunFacts& facts, const protocol::Manifest* manifest, RunEntry& entry, StateClues& clues) {
  entry.step = facts.step;
  entry.totalSteps = facts.totalSteps;
  entry.loss = lastOf(facts, "train/loss");
  entry.evalLoss = lastOf(facts, "eval/loss");
  // Only ends of the files were read: its beginning must be among them.
  if (const auto loss = facts.series.find("train/loss"); loss != facts.series.end() && !loss->second.empty())
    entry.lossRisen = loss->second.at(0).step * 10 <= loss->second.last().step && lossRise(loss->second).has_value();
  entry.samplesPerSecond = lastOf(facts, "train/samples_per_second");
  entry.tokensPerSecond = lastOf(facts, "train/tokens_per_second");
  entry.updated = facts.lastEvent;
  const bool here = !manifest || !runsElsewhere(*manifest);
  entry.paused = isPaused(facts.phases);
  if (facts.start) {
    entry.started = facts.start->time;
    entry.worldSize = facts.start->worldSize;
    entry.totalParams = facts.start->totalParams;
    entry.trainableParams = facts.start->trainableParams;
    if (here && clues.witnesses.empty() && facts.agents.empty())
      clues.witnesses.push_back({facts.start->host, facts.start->pid, 0});
  }
  if (here && clues.witnesses.empty())
    for (const auto& [node, agent] : facts.agents) clues.witnesses.push_back(agent);
  clues.started = !facts.ranks.empty() || !facts.agents.empty();
  clues.lastEvent = facts.lastEvent;
  if (const auto end = toldEnd(facts, manifest)) {
    clues.endReason = end->reason;
    if (end->reason == "diverged") entry.lossRisen = false;  // that says it
    entry.reason = end->message.empty() ? end->reason : end->message;
  }
}

RunEntry describeOurs(const fs::path& folder, const CatalogueOptions& options) {
  const RunLayout layout(folder);
  RunEntry entry;
  entry.path = folder;
  StateClues clues;
  const auto manifest = protocol::readManifest(layout.manifest());
  takeManifest(layout, manifest, entry, clues);
  RunFacts facts;
  for (const int rank : layout.ranksWithEvents())
    glimpse(layout.rankEvents(rank), kHeadBytes, rank == 0 ? kTailBytes : kHeadBytes,
            [&](const FlatEvent& event) { facts.foldRank(rank, event); });
  for (const int node : layout.nodesWithEvents())
    glimpse(layout.nodeEvents(node), kHeadBytes, kHeadBytes,
            [&](const FlatEvent& event) { facts.foldNode(node, event); });
  takeFacts(facts, manifest.ok() ? &manifest.value() : nullptr, entry, clues);
  std::error_code code;
  if (const auto written = fs::last_write_time(layout.manifest(), code);
      !code && startedAgain(layout, manifest, facts)) {
    clues.endReason.clear();
    entry.reason.clear();
    clues.lastEvent = std::max(clues.lastEvent, secondsOf(written));
  }
  entry.resumable = entry.resumable || layout.lastCompleteCheckpoint().has_value();
  if (entry.id.empty()) entry.id = folder.filename().string();
  if (entry.name.empty()) entry.name = folder.filename().string();
  entry.state = decideState(clues, options.now > 0 ? options.now : wallSeconds(), options.lostAfterSeconds);
  entry.paused &= entry.state == RunState::Running;
  entry.asOf = staleSince(clues, entry.state);
  return entry;
}

// Other programs' runs tell little: their curves' last points and the time of the file.
RunEntry describeForeign(const fs::path& folder, const std::vector<fs::path>& files, const CatalogueOptions& options) {
  RunEntry entry;
  entry.path = folder;
  entry.foreign = true;
  entry.id = folder.filename().string();
  const bool nested = folder.parent_path().filename() == "runs";  // <output_dir>/runs/<date>_<host>
  entry.name = nested ? folder.parent_path().parent_path().filename().string() + "/" + entry.id : entry.id;
  double last = 0;
  for (const fs::path& file : files) {
    TensorboardReader reader(file);
    const auto take = [&](const TensorboardScalar& scalar) {
      if (entry.started == 0) entry.started = scalar.wallTime;
      last = std::max(last, scalar.wallTime);
      entry.step = std::max(entry.step, scalar.step);
      if (scalar.tag == "train/loss" || scalar.tag == "loss") entry.loss = scalar.value;
      if (scalar.tag == "eval/loss") entry.evalLoss = scalar.value;
    };
    // Damage or a missing permission leaves what was read so far.
    if (!reader.poll(take, kForeignBytes).ok()) continue;
  }
  entry.updated = last;
  const double now = options.now > 0 ? options.now : wallSeconds();
  entry.state = now - last > options.lostAfterSeconds ? RunState::Finished : RunState::Running;
  return entry;
}

// Those that may be runs or lead to some.
std::vector<fs::path> foldersIn(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code code;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code ignored;
    const std::string name = at->path().filename().string();
    if (name.starts_with(".") || name.starts_with("checkpoint-") || at->is_symlink(ignored)) continue;
    if (at->is_directory(ignored)) folders.push_back(at->path());
  }
  return folders;
}

class Search {
 public:
  Search(const CatalogueOptions& options, std::vector<RunEntry>& found) : m_options(options), m_found(found) {}

  void visit(const fs::path& folder, int depth) {
    if (m_options.stop && m_options.stop()) return;
    if (!m_seen.insert(folder.string()).second) return;
    const RunLayout layout(folder);
    if (layout.isRun()) {
      m_found.push_back(describeOurs(folder, m_options));
      return;
    }
    const auto foreign = m_options.foreignRuns ? tensorboardFiles(folder) : std::vector<fs::path>();
    if (!foreign.empty()) m_found.push_back(describeForeign(folder, foreign, m_options));
    if (depth >= m_options.maxDepth) return;
    for (const fs::path& below : foldersIn(folder)) visit(below, depth + 1);
  }

 private:
  const CatalogueOptions& m_options;
  std::vector<RunEntry>& m_found;
  std::set<std::string> m_seen;
};

}  // namespace

std::vector<RunEntry> findRuns(const std::vector<fs::path>& roots, const CatalogueOptions& options) {
  std::vector<RunEntry> found;
  Search search(options, found);
  for (const fs::path& root : roots) search.visit(cleaned(root), 0);
  std::stable_sort(found.begin(), found.end(),
                   [](const RunEntry& a, const RunEntry& b) { return a.started > b.started; });
  return found;
}

bool isRunFolder(const fs::path& folder) { return RunLayout(folder).isRun() || !tensorboardFiles(folder).empty(); }

bool holdsRuns(const fs::path& folder) {
  const auto below = foldersIn(folder);
  return std::any_of(below.begin(), below.end(), isRunFolder);
}

Result<RunEntry> describeRun(const fs::path& folder, const CatalogueOptions& options) {
  const fs::path clean = cleaned(folder);
  std::error_code code;
  if (!fs::exists(clean, code)) return badInput("there is no such run", folder.string(), "roadtune runs ls FOLDER");
  if (RunLayout(clean).isRun()) return describeOurs(clean, options);
  const auto files = tensorboardFiles(clean);
  if (files.empty())
    return badInput("holds no run: neither events/ nor TensorBoard files", folder.string(), "roadtune runs ls FOLDER");
  return describeForeign(clean, files, options);
}

double comparableLoss(const std::optional<double>& loss) {
  return loss && std::isfinite(*loss) ? *loss : std::numeric_limits<double>::infinity();
}

}  // namespace roadtune::runs
