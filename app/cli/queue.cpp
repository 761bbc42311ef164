// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that start one after the other, each when its machines are free.
#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/number_checks.h"
#include "app/cli/prepare_sources.h"
#include "app/cli/sync_inputs.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/json_text.h"
#include "core/base/progress.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "remote/launch/launch_plan.h"
#include "remote/queue/queue_worker.h"
#include "remote/queue/variant_jobs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <map>
#include <set>
#include <thread>
#include <utility>

namespace roadtune::cli {

namespace {

constexpr auto kLookEvery = std::chrono::seconds(1);
constexpr int kLooksInVain = 60;    // one after the other, until a worker gives up that is to empty the queue
constexpr double kWorkerStart = 5;  // seconds until a detached worker must have taken the queue

struct QueueOptions {
  std::string config, progress;
  std::vector<std::string> overrides, varied;
  std::vector<std::int64_t> after;
  HostList hosts;
  SyncOptions sync;
  std::optional<int> processes;
  std::int64_t id = 0, retries = 0;
  std::size_t place = 1;
  bool json = false, detach = false, untilEmpty = false;
};

void tellWhoWorks(const remote::JobQueue& queue, const std::vector<remote::QueueJob>& jobs) {
  const auto waits = [](const auto& job) { return job.order.state == policy::JobState::Waiting; };
  if (!remote::QueueWorker::holder(queue) && std::any_of(jobs.begin(), jobs.end(), waits))
    fmt::print(stderr, "nothing works on the queue yet: roadtune queue run --detach\n");
}

std::string inputsOf(const config::RunConfig& config) {
  std::string paths = config.text("model_name_or_path") + "\n" + config.text("adapter_name_or_path");
  for (const char* data : {"train_data", "eval_data"})
    for (const auto& source : config.sources(data)) paths += "\n" + source.path;
  return paths;
}

// How much the copy would be is shown now; it is made when the job's turn comes.
Status agreeToCopy(const remote::LaunchPlan& plan, const QueueOptions& options) {
  ROADTUNE_TRY(const auto access, remote::HostAccess::load(terminalPrompts(options.hosts.trusted)));
  const auto progress = makeProgressSink(ProgressStyle::None);
  const auto agreed =
      agreeToSync(plan.config, plan.hosts, options.sync, access, "Copy it before the job starts? [y/N] ", *progress);
  return agreed.ok() ? Status() : Status(agreed.error());
}

// Of several runs with the same warning, or with the same model and data to copy, the first one tells.
Result<int> addJobs(const QueueOptions& options) {
  ROADTUNE_TRY(const config::Document document, config::Document::load(options.config));
  remote::QueueJob like{.order = {.after = options.after},
                        .config = std::filesystem::absolute(options.config).string(),
                        .text = document.text(),
                        .overrides = options.overrides,
                        .from = std::filesystem::current_path().string(),
                        .processes = options.processes,
                        .sync = options.sync.sync,
                        .retries = options.retries};
  ROADTUNE_TRY(like.hosts, readHosts(options.hosts, "roadtune queue add"));
  for (auto& entry : overridesForHere(options.hosts)) like.overrides.push_back(std::move(entry));
  std::set<std::string> warned, agreed;
  const auto planned = [&](const remote::LaunchPlan& plan) -> Status {
    for (const auto& warning : plan.warnings)
      if (warned.insert(warning.text()).second) fmt::print(stderr, "{}\n", warning.text());
    if (!(options.sync.sync || options.sync.yes) || !agreed.insert(inputsOf(plan.config)).second) return {};
    return agreeToCopy(plan, options);
  };
  const remote::JobQueue queue;
  ROADTUNE_TRY(const auto ids, remote::addVariants(queue, like, options.varied, planned));
  for (const std::int64_t id : ids) fmt::print("{}\n", id);
  tellWhoWorks(queue, queue.jobs().valueOr({}));
  return kExitDone;
}

nlohmann::ordered_json jobJson(const remote::QueueJob& job) {
  return {{"id", job.order.id},       {"state", remote::stateWord(job)},
          {"run", job.folder},        {"config", job.config},
          {"hosts", job.hosts},       {"after", job.order.after},
          {"sync", job.sync},         {"retries", job.retries},
          {"failures", job.failures}, {"added", job.added},
          {"started", job.started},   {"ended", job.ended},
          {"message", job.message}};
}

Result<int> listJobs(const QueueOptions& options) {
  const remote::JobQueue queue;
  ROADTUNE_TRY(const auto jobs, queue.jobs());
  const auto worker = remote::QueueWorker::holder(queue);
  if (options.json) {
    nlohmann::ordered_json all = {{"worker", worker ? nlohmann::json(*worker) : nlohmann::json()},
                                  {"jobs", nlohmann::json::array()}};
    for (const auto& job : jobs) all["jobs"].push_back(jobJson(job));
    fmt::print("{}\n", jsonText(all));
    return kExitDone;
  }
  if (jobs.empty()) return fmt::print("the queue is empty\n"), kExitDone;
  fmt::print("{:>4}  {:<9} {:<20} {:<24} {}\n", "job", "state", "where", "run", "");
  for (const auto& job : jobs)
    fmt::print("{:>4}  {:<9} {:<20} {:<24} {}\n", job.order.id, remote::stateWord(job),
               job.hosts.empty() ? "this machine" : join(job.hosts, ","),
               std::filesystem::path(job.folder).filename().string(), job.message);
  tellWhoWorks(queue, jobs);
  return kExitDone;
}

// A disk that is full, or a file that somebody is editing: what stands in the way may pass, and the service goes on.
// Whoever waits for the end of the queue does not wait for that for ever.
Status workUntil(remote::QueueWorker& worker, bool untilEmpty) {
  std::string told;
  for (int inVain = 0; !Interrupt::requested();) {
    const auto open = worker.look();
    const std::string trouble = open.ok() ? "" : open.error().text();
    if (trouble != std::exchange(told, trouble) && !open.ok()) fmt::print(stderr, "{}\n", trouble);
    inVain = open.ok() ? 0 : inVain + 1;
    if (untilEmpty && inVain > kLooksInVain) return open.error();
    if (untilEmpty && open.ok() && !open.value()) return {};
    std::this_thread::sleep_for(kLookEvery);
  }
  return {};
}

Result<int> startWorker() {
  const remote::JobQueue queue;
  if (const auto holder = remote::QueueWorker::holder(queue))
    return badInput(fmt::format("process {} works on the queue", *holder), "--detach", "roadtune queue ls");
  ROADTUNE_TRY(const auto program, siblingProgram("roadtune"));
  std::filesystem::create_directories(queue.folder());
  const auto logFile = queue.folder() / "worker.log";
  const UniqueFd log(::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!log.valid()) return systemError("cannot open", logFile.string());
  ROADTUNE_TRY(Subprocess child, Subprocess::start({.command = {program.string(), "queue", "run"},
                                                    .output = Stream::given(log.get()),
                                                    .error = Stream::given(log.get()),
                                                    .newSession = true}));
  for (const double begin = monotonicSeconds(); !remote::QueueWorker::holder(queue);) {
    if (const auto ended = child.poll()) return failed("the worker ended: " + ended->text(), logFile.string());
    if (monotonicSeconds() - begin > kWorkerStart) return failed("the worker does not start", logFile.string());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  fmt::print("{}\n", child.pid());
  return kExitDone;
}

// When those that failed did so.
Result<std::map<std::int64_t, double>> failures(const remote::JobQueue& queue) {
  ROADTUNE_TRY(const auto jobs, queue.jobs());
  std::map<std::int64_t, double> failed;
  for (const auto& job : jobs)
    if (job.order.state == policy::JobState::Failed) failed[job.order.id] = job.ended;
  return failed;
}

Result<int> runQueue(const QueueOptions& options) {
  if (options.detach) return startWorker();
  Interrupt::install();
  const auto progress = makeProgressSink(ProgressStyle::None, [] { return Interrupt::requested(); });
  remote::QueueWorker::Hooks hooks;
  hooks.prepare = [&](const config::RunConfig& config, const std::filesystem::path& run, bool elsewhere) {
    return prepareSources(config, run, elsewhere, *progress);
  };
  hooks.say = [](const std::string& line) {
    fmt::print("{} {}\n", isoTime(wallSeconds()), line);
    std::fflush(stdout);
  };
  hooks.goesOn = [] { return !Interrupt::requested(); };
  hooks.prompts = terminalPrompts(options.hosts.trusted);
  const remote::JobQueue queue;
  ROADTUNE_TRY(auto worker, remote::QueueWorker::take(queue, std::move(hooks)));
  if (!hasTerminal()) {
    ROADTUNE_TRY(auto desk, remote::QuestionDesk::open(queue));
    worker.takeQuestionsTo(std::move(desk));
  }
  ROADTUNE_TRY(const auto before, failures(queue));
  const Status worked = workUntil(worker, options.untilEmpty);
  worker.leave();
  ROADTUNE_CHECK(worked);
  if (!Interrupt::requested()) {
    ROADTUNE_TRY(const auto after, failures(queue));
    const bool failed = std::any_of(after.begin(), after.end(), [&](const auto& one) {
      const auto was = before.find(one.first);
      return was == before.end() || was->second != one.second;
    });
    return failed ? kExitFailed : kExitDone;
  }
  fmt::print(stderr, "the queue rests; what runs goes on\n");
  return kExitInterrupted;
}

Result<int> answered(const Status& status) {
  if (!status.ok()) return status.error();
  return static_cast<int>(kExitDone);
}

void addIdOption(CLI::App& app, QueueOptions& options) {
  app.add_option("job", options.id, "the job's number")->required();
}

const Registration kAdd{
    "queue add", "Let a run, or several that differ in some settings, start when their turn comes",
    [](CLI::App& app) -> Action {
      auto options = std::make_shared<QueueOptions>();
      app.add_option("config", options->config, "the run's configuration (RUN.yaml); a copy is kept")->required();
      app.add_option("--set", options->overrides, "key=value, overrides the file; may be repeated")
          ->take_all()
          ->allow_extra_args(false);
      app.add_option("--vary", options->varied, "key=value,value,...: a run for each; several make every combination")
          ->take_all()
          ->allow_extra_args(false);
      addHostOptions(app, options->hosts);
      app.add_option("--nproc-per-node", options->processes, "ranks on each machine")->check(wholeNumberFrom(1));
      addSyncOptions(app, options->sync);
      app.add_option("--after", options->after, "start only when these jobs have finished")
          ->delimiter(',')
          ->allow_extra_args(false);
      app.add_option("--retries", options->retries, "try again so often after failures that may pass by themselves")
          ->check(CLI::Range(0, 100));
      return [options] { return addJobs(*options); };
    }};

const Registration kList{"queue ls", "What waits, runs and has ended, and why it waits", [](CLI::App& app) -> Action {
                           auto options = std::make_shared<QueueOptions>();
                           app.add_flag("--json", options->json, "Print as JSON");
                           return [options] { return listJobs(*options); };
                         }};

const Registration kMove{
    "queue move", "Give a waiting job another place", [](CLI::App& app) -> Action {
      auto options = std::make_shared<QueueOptions>();
      addIdOption(app, *options);
      app.add_option("place", options->place, "among the waiting jobs, from 1")->required()->check(wholeNumberFrom(1));
      return [options] { return answered(remote::JobQueue().move(options->id, options->place)); };
    }};

// What waited for a failed job to be tried again waits no longer, which nobody should learn by surprise.
Result<int> removeJob(const QueueOptions& options) {
  const remote::JobQueue queue;
  ROADTUNE_TRY(const auto removed, queue.take(options.id));
  ROADTUNE_TRY(const auto left, queue.jobs());
  for (const auto& job : left)
    if (std::ranges::find(job.order.after, options.id) != job.order.after.end() &&
        job.order.state == policy::JobState::Waiting && removed.job.order.state != policy::JobState::Finished)
      fmt::print(stderr, "job {} came after it, and waits for it no longer\n", job.order.id);
  return kExitDone;
}

const Registration kRemove{"queue rm", "Take a job out of the queue; its run stays", [](CLI::App& app) -> Action {
                             auto options = std::make_shared<QueueOptions>();
                             addIdOption(app, *options);
                             return [options] { return removeJob(*options); };
                           }};

const Registration kRetry{"queue retry", "Let a job that failed or was stopped wait again",
                          [](CLI::App& app) -> Action {
                            auto options = std::make_shared<QueueOptions>();
                            addIdOption(app, *options);
                            return [options] { return answered(remote::JobQueue().again(options->id)); };
                          }};

const Registration kRun{"queue run", "Work on the queue; Ctrl-C leaves running jobs alone",
                        [](CLI::App& app) -> Action {
                          auto options = std::make_shared<QueueOptions>();
                          app.add_flag("--detach", options->detach, "in the background");
                          app.add_flag("--until-empty", options->untilEmpty,
                                       "end when nothing can start any more; with 1 when a job failed");
                          addTrustOption(app, options->hosts.trusted);
                          return [options] { return runQueue(*options); };
                        }};

}  // namespace
}  // namespace roadtune::cli
