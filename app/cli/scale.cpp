// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune scale RUN.yaml --nodes 1,2,4: the same job on growing numbers of machines, measured.
#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/number_checks.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/config/document.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"
#include "core/runs/scaling.h"
#include "remote/launch/agent_watch.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_mirrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unistd.h>

namespace roadtune::cli {

namespace fs = std::filesystem;
using protocol::ControlWord;

namespace {

constexpr double kLongestPoint = 3600;  // seconds
constexpr std::int64_t kNeverReached = 1'000'000;

struct ScaleOptions {
  std::string config, out, progress;
  std::vector<std::string> overrides;
  std::vector<int> nodes{1};
  HostList hosts;
  std::optional<int> processes;
  std::int64_t steps = 20, warmup = 3;
  bool json = false;
};

struct Measurement {
  const ScaleOptions& options;
  const config::Document& document;
  const std::vector<std::string>& hosts;
  const remote::HostAccess& access;
  fs::path out;
};

// The run as it is, but endless and without anything beside its steps: it is stopped when enough were seen, so that
// no checkpoint is written.
remote::LaunchRequest requestFor(const Measurement& m, int nodes) {
  remote::LaunchRequest request{.document = m.document, .overrides = m.options.overrides};
  for (const std::string entry : {"save_strategy=no", "eval_strategy=no", "overwrite_output_dir=true"})
    request.overrides.push_back(entry);
  request.overrides.push_back(fmt::format("output_dir={}", (m.out / fmt::format("nodes-{}", nodes)).string()));
  request.overrides.push_back(fmt::format("max_steps={}", kNeverReached));
  request.processesPerNode = m.options.processes;
  if (!m.hosts.empty()) request.hosts.assign(m.hosts.begin(), m.hosts.begin() + nodes);
  return request;
}

Result<remote::StartedRun> start(const Measurement& m, int nodes) {
  ROADTUNE_TRY(remote::LaunchPlan plan, remote::planLaunch(requestFor(m, nodes)));
  if (!m.hosts.empty()) return remote::launchOnHosts(plan, m.access);
  plan.ranks.processes *= nodes;  // on this machine a "node" is only so many more ranks
  plan.ranks.worldSize = plan.ranks.processes;
  return remote::launch(plan);
}

// Lets a run make its steps, then ends it.
Status watch(const Measurement& m, const fs::path& run, ProgressSink* progress, int nodes) {
  ROADTUNE_TRY(const remote::RunMirrors mirrors, remote::RunMirrors::open(run, m.access));
  remote::AgentWatch agents(run);
  protocol::EventReader events(protocol::RunLayout(run).rankEvents(0));
  std::int64_t step = 0;
  bool asked = false;
  const double deadline = monotonicSeconds() + kLongestPoint;
  while (true) {
    const auto outcome = agents.poll(mirrors.unreached(), mirrors.lost());
    ROADTUNE_CHECK(events.pollFlat([&step](const protocol::FlatEvent& event) {
      if (event.kind == "step") step = event.step;
    }));
    if (outcome && outcome->reason != "stopped" && outcome->reason != "finished") return remote::toError(*outcome);
    if (outcome) return Interrupt::requested() ? Status(cancelled()) : Status();
    const bool enough = step >= m.options.steps + m.options.warmup;
    const auto shown = static_cast<std::uint64_t>(std::min(step, m.options.steps + m.options.warmup));
    if (progress)
      progress->report(
          {counted(nodes, "node"), shown, static_cast<std::uint64_t>(m.options.steps + m.options.warmup), "steps"});
    if (!asked && (enough || Interrupt::requested() || monotonicSeconds() > deadline)) {
      const auto told = remote::sendControl(run, {.word = ControlWord::StopNow}, m.access.prompts);
      asked = told.ok();
    }
    ::usleep(50'000);
  }
}

Status checkOptions(const ScaleOptions& options, const std::vector<std::string>& hosts) {
  if (options.steps < 1 || options.warmup < 0) return badInput("at least one step must be measured", "--steps");
  for (std::size_t i = 0; i < options.nodes.size(); ++i) {
    if (options.nodes[i] < 1) return badInput("a job runs on at least one machine", "--nodes");
    if (i > 0 && options.nodes[i] <= options.nodes[i - 1]) return badInput("the numbers must grow: 1,2,4", "--nodes");
  }
  if (!hosts.empty() && static_cast<std::size_t>(options.nodes.back()) > hosts.size())
    return badInput(fmt::format("{} machines are wanted, {} are named", options.nodes.back(), hosts.size()), "--nodes",
                    "name more with --hosts or --fleet");
  return {};
}

Status writeReports(const fs::path& out, const std::string& note, const std::vector<runs::ScalePoint>& points) {
  ROADTUNE_CHECK(makeFolders(out));
  ROADTUNE_CHECK(writeFileAtomically(out / "scaling.json", runs::scaleJson(points)));
  return writeFileAtomically(out / "scaling.html",
                             runs::scaleHtml("Scaling of " + out.filename().string(), note, points));
}

Result<int> scale(const ScaleOptions& options) {
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  ROADTUNE_TRY(const config::Document document, config::Document::load(options.config));
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.hosts.trusted)));
  ROADTUNE_TRY(const remote::LaunchPlan plan,
               remote::planLaunch({.document = document, .overrides = options.overrides, .exported = true}));
  ROADTUNE_TRY(const auto hosts, readHosts(options.hosts, "roadtune scale", plan.config));
  ROADTUNE_CHECK(checkOptions(options, hosts));
  std::error_code ignored;
  const Measurement m{options, document, hosts, access,
                      fs::absolute(options.out.empty() ? plan.folder.string() + "-scale" : options.out, ignored)};
  const std::string note =
      hosts.empty() ? "All ranks ran on this machine and shared it: this measures the program, not machines."
                    : fmt::format("{} steps each after {} that do not count.", options.steps, options.warmup);
  if (hosts.empty() && options.nodes.back() > 1) fmt::print(stderr, "note: {}\n", note);
  Interrupt::install();
  const auto progress = makeProgressSink(style);
  std::vector<runs::ScalePoint> points;
  for (const int nodes : options.nodes) {
    ROADTUNE_TRY(const remote::StartedRun run, start(m, nodes));
    ROADTUNE_CHECK(watch(m, run.folder, progress.get(), nodes));
    ROADTUNE_TRY(runs::ScalePoint point, runs::measureScale(run.folder, options.warmup, options.steps));
    point.nodes = nodes;
    points.push_back(std::move(point));
    runs::compareWithFirst(points);
    ROADTUNE_CHECK(writeReports(m.out, note, points));  // what is measured stays, whatever comes
  }
  fmt::print("{}", options.json ? runs::scaleJson(points) : runs::scaleTable(points));
  fmt::print(stderr, "{}\n", (m.out / "scaling.html").string());
  return kExitDone;
}

const Registration kScale{
    "scale", "Measure a run on growing numbers of machines: throughput and efficiency against linear",
    [](CLI::App& app) -> Action {
      auto options = std::make_shared<ScaleOptions>();
      app.add_option("config", options->config, "the run's configuration (RUN.yaml)")->required();
      app.add_option("--nodes", options->nodes, "numbers of machines: 1,2,4")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->capture_default_str();
      addHostOptions(app, options->hosts);
      app.add_option("--nproc-per-node", options->processes, "ranks on each machine")->check(wholeNumberFrom(1));
      app.add_option("--steps", options->steps, "steps to measure on each number")->capture_default_str();
      app.add_option("--warmup", options->warmup, "steps before them that do not count")->capture_default_str();
      app.add_option("--set", options->overrides, "key=value, overrides the file; may be repeated")
          ->take_all()
          ->allow_extra_args(false);
      app.add_option("--out", options->out, "folder for runs and reports (default: <output_dir>-scale)");
      app.add_flag("--json", options->json, "an object for machines on stdout");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return scale(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
