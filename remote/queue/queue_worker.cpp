// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/queue_worker.h"

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/launch.h"
#include "remote/launch/resume.h"
#include "remote/launch/run_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace roadtune::remote {

namespace {

using policy::JobState;

constexpr double kRestSeconds = 10;   // a launch on other machines takes longer
constexpr double kSilencePause = 30;  // before a machine is asked again that did not answer

constexpr const char* kHowToAnswer = "; roadtune queue answer, or the studio, takes the answer";

fs::path lockFile(const JobQueue& queue) { return queue.folder() / "worker.lock"; }

LaunchRequest requestFor(const QueueJob& job) {
  LaunchRequest request{.document = config::Document(job.text, job.config),
                        .overrides = job.overrides,
                        .overridesFrom = job.from,
                        .processesPerNode = job.processes,
                        .hosts = job.hosts,
                        .commandLine = {"roadtune", "train", job.config}};
  if (job.started > 0) request.overrides.emplace_back("overwrite_output_dir=true");  // what its own failure left
  return request;
}

}  // namespace

std::optional<pid_t> QueueWorker::holder(const JobQueue& queue) {
  const UniqueFd fd(::open(lockFile(queue).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() || ::flock(fd.get(), LOCK_SH | LOCK_NB) == 0) return std::nullopt;
  char text[32] = {};
  if (::pread(fd.get(), text, sizeof text - 1, 0) <= 0) return -1;
  return static_cast<pid_t>(std::atol(text));
}

Status QueueWorker::rest(const JobQueue& queue) {
  const auto worker = holder(queue);
  if (!worker || *worker <= 0) return {};
  if (::kill(*worker, SIGINT) != 0 && errno != ESRCH)
    return systemError("cannot ask process " + std::to_string(*worker) + " to end", queue.folder().string());
  for (const double begin = monotonicSeconds(); holder(queue);) {
    if (monotonicSeconds() - begin > kRestSeconds)
      return failed(fmt::format("process {} is busy with a start and works on", *worker), queue.folder().string(),
                    "look again in a minute: it ends when that is done");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

Result<QueueWorker> QueueWorker::take(JobQueue queue, Hooks hooks) {
  ROADTUNE_CHECK(makeFolders(queue.folder()));
  const fs::path path = lockFile(queue);
  ROADTUNE_TRY(auto lock, tryLock(path));
  if (!lock)
    return badInput(fmt::format("process {} works on this queue", holder(queue).value_or(-1)), queue.folder().string(),
                    "roadtune queue ls shows what it does");
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock->get(), 0) != 0 || ::pwrite(lock->get(), pid.data(), pid.size(), 0) < 0)
    return systemError("cannot write", path.string());
  return QueueWorker(std::move(queue), std::move(hooks), std::move(*lock));
}

Result<bool> QueueWorker::look() {
  ROADTUNE_TRY(const auto before, m_queue.jobs());
  ROADTUNE_CHECK(noteQuestions(before));
  for (const QueueJob& job : before)
    if (job.order.state == JobState::Running) ROADTUNE_CHECK(noteEnd(job));
  ROADTUNE_TRY(const auto jobs, m_queue.jobs());
  std::vector<policy::QueuedJob> order;
  for (const QueueJob& job : jobs) order.push_back(job.order);
  const auto decision = policy::decideQueue(order, wallSeconds());
  bool open = false;
  for (const QueueJob& job : jobs) {
    open = open || job.order.state == JobState::Running || !decision.start.empty() ||
           job.order.notBefore > wallSeconds() || (job.order.state == JobState::Waiting && job.order.asks);
    const auto waits = decision.waits.find(job.order.id);
    if (waits != decision.waits.end() && waits->second != job.message && job.failures == 0)
      ROADTUNE_CHECK(m_queue.update(job.order.id, [&](QueueJob& now) { now.message = waits->second; }));
  }
  // A job that was moved, taken out or has another one before it now: its copy goes on when its turn comes again.
  std::erase_if(m_copies, [&](const auto& copy) {
    return std::find(decision.start.begin(), decision.start.end(), copy.first) == decision.start.end();
  });
  for (const std::int64_t id : decision.start)
    for (const QueueJob& job : jobs) {
      if (job.order.id != id) continue;
      ROADTUNE_TRY(const bool ready, inputsThere(job));
      if (ready) ROADTUNE_CHECK(start(job));
    }
  return open;
}

Prompts QueueWorker::promptsFor(const QueueJob& job) const {
  return m_desk ? m_desk->promptsFor(job.order.id) : m_hooks.prompts;
}

// Questions live in this worker's memory: those that another one had asked are asked again by the next attempt.
Status QueueWorker::noteQuestions(const std::vector<QueueJob>& jobs) {
  std::set<std::int64_t> alive;
  for (const QueueJob& job : jobs) {
    const bool open = job.order.state == JobState::Waiting || job.order.state == JobState::Running;
    if (open) alive.insert(job.order.id);
    const auto questions = m_desk && open ? m_desk->questionsOf(job.order.id) : std::vector<QueueQuestion>();
    if (job.order.asks == !questions.empty()) continue;
    ROADTUNE_CHECK(m_queue.update(job.order.id, [&](QueueJob& now) {
      now.order.asks = !questions.empty();
      now.message = questions.empty() ? "" : "asks for " + describe(questions.front()) + kHowToAnswer;
    }));
  }
  if (m_desk) m_desk->keepOnly(alive);
  return {};
}

// The job waits meanwhile: a worker that ends leaves nothing behind but files that have arrived.
Result<bool> QueueWorker::inputsThere(const QueueJob& job) {
  if (!job.sync || job.hosts.empty()) return true;
  auto& copy = m_copies[job.order.id];
  if (!copy) {
    const auto plan = planLaunch(requestFor(job));
    if (!plan.ok()) {
      ROADTUNE_CHECK(noteFailure(job, plan.error().text(), false));
      return false;
    }
    copy = std::make_unique<InputCopy>(plan.value().config, plan.value().hosts, promptsFor(job));
  }
  const auto outcome = copy->outcome();
  if (!outcome) {
    const std::string text = copy->text();
    if (text != job.message) ROADTUNE_CHECK(m_queue.update(job.order.id, [&](QueueJob& now) { now.message = text; }));
    return false;
  }
  m_copies.erase(job.order.id);
  if (outcome->ok()) return true;
  if (m_desk && !m_desk->questionsOf(job.order.id).empty()) {
    ROADTUNE_CHECK(noteAsking(job));
    return false;
  }
  const Error& error = outcome->error();
  ROADTUNE_CHECK(
      noteFailure(job, "model and data could not be copied: " + error.text(), error.kind == ErrorKind::Failed));
  return false;
}

void QueueWorker::leave() {
  for (const auto& [id, copy] : std::exchange(m_copies, {})) {
    const std::string text = copy->text() + "; goes on with the queue";
    [[maybe_unused]] const Status told = m_queue.update(id, [&](QueueJob& now) { now.message = text; });
  }
}

Status QueueWorker::noteEnd(const QueueJob& job) {
  auto watched = m_watched.find(job.order.id);
  if (watched == m_watched.end()) {
    ROADTUNE_TRY(const HostAccess access, HostAccess::load(promptsFor(job)));
    ROADTUNE_TRY(RunMirrors mirrors, RunMirrors::open(job.folder, access));
    watched = m_watched.emplace(job.order.id, Watched{AgentWatch(job.folder), std::move(mirrors)}).first;
  }
  const auto outcome = watched->second.agents.poll(watched->second.mirrors.unreached(), watched->second.mirrors.lost());
  if (!outcome) return {};
  m_watched.erase(watched);
  const bool finished = outcome->reason == "finished";
  if (!finished && outcome->reason != "stopped")
    return noteFailure(job, outcome->message, outcome->mayPass || outcome->reason == "lost");
  m_hooks.say(fmt::format("job {} {}: {}", job.order.id, outcome->reason, job.folder));
  return m_queue.update(job.order.id, [&](QueueJob& now) {
    now.order.state = finished ? JobState::Finished : JobState::Stopped;
    now.ended = wallSeconds();
    now.message.clear();
  });
}

Status QueueWorker::noteFailure(const QueueJob& job, const std::string& message, bool mayPass) {
  const bool again = mayPass && job.failures < job.retries;
  m_hooks.say(fmt::format("job {} failed{}: {}", job.order.id, again ? " and is tried again" : "", message));
  return m_queue.update(job.order.id, [&](QueueJob& now) {
    now.failures += 1;
    now.order.state = again ? JobState::Waiting : JobState::Failed;
    now.order.notBefore = again ? wallSeconds() + policy::pauseAfterFailures(now.failures) : 0;
    now.ended = wallSeconds();
    now.message = message;
  });
}

Status QueueWorker::start(const QueueJob& job) {
  // Of machines that do not answer nobody knows whether the run that failed still lives there.
  std::vector<std::string> silent;
  if (job.failures > 0) silent = unreached(proveGone(job.folder, promptsFor(job)));
  if (!silent.empty()) {
    if (m_desk && !m_desk->questionsOf(job.order.id).empty()) return noteAsking(job);
    return m_queue.update(job.order.id, [&](QueueJob& now) {
      now.order.notBefore = wallSeconds() + kSilencePause;
      now.message = fmt::format("waits for {}, which cannot be reached and may still run it", join(silent, ", "));
    });
  }
  ROADTUNE_CHECK(m_queue.update(job.order.id, [](QueueJob& now) {
    now.order.state = JobState::Running;
    now.started = wallSeconds();
    now.message = "starting";
  }));
  if (const Status launched = launchJob(job); !launched.ok()) {
    if (m_desk && !m_desk->questionsOf(job.order.id).empty()) return noteAsking(job);
    return noteFailure(job, launched.error().text(), launched.error().kind == ErrorKind::Failed);
  }
  m_hooks.say(fmt::format("job {} started: {}", job.order.id, job.folder));
  return m_queue.update(job.order.id, [](QueueJob& now) { now.message.clear(); });
}

// It was no attempt: nothing of the run has been started, and it keeps its place.
Status QueueWorker::noteAsking(const QueueJob& job) {
  const std::string what = describe(m_desk->questionsOf(job.order.id).front());
  m_hooks.say(fmt::format("job {} asks for {}", job.order.id, what));
  return m_queue.update(job.order.id, [&](QueueJob& now) {
    now.order.state = JobState::Waiting;
    now.order.asks = true;
    now.started = job.started;
    now.message = "asks for " + what + kHowToAnswer;
  });
}

namespace {

// What keeps a start from being quick stands in the job's message, once a second.
class StartNote : public ProgressSink {
 public:
  StartNote(const JobQueue& queue, std::int64_t job) : m_queue(queue), m_job(job) {}
  bool report(const Progress& progress) override {
    const std::scoped_lock lock(m_mutex);
    if (progress.stage != "copying torch" || monotonicSeconds() - m_told < 1) return true;
    m_told = monotonicSeconds();
    const std::string text =
        fmt::format("starting: copying torch, {} of {}", formatBytes(static_cast<double>(progress.done)),
                    formatBytes(static_cast<double>(progress.total)));
    [[maybe_unused]] const Status told = m_queue.update(m_job, [&](QueueJob& now) { now.message = text; });
    return true;
  }

 private:
  const JobQueue& m_queue;
  std::int64_t m_job;
  std::mutex m_mutex;
  double m_told = 0;
};

}  // namespace

// A job that was started before goes on from its newest checkpoint, where it has one.
Status QueueWorker::launchJob(const QueueJob& job) const {
  if (job.started == 0) return startAfresh(job);
  ROADTUNE_TRY(const HostAccess access, HostAccess::load(promptsFor(job)));
  if (!findCheckpoints(job.folder, access).newest()) return startAfresh(job);
  StartNote note(m_queue, job.order.id);
  const auto run = resumeRun({.run = job.folder, .processesPerNode = job.processes}, promptsFor(job), &note);
  return run.ok() ? Status() : Status(run.error());
}

Status QueueWorker::startAfresh(const QueueJob& job) const {
  ROADTUNE_TRY(const LaunchPlan plan, planLaunch(requestFor(job)));
  if (m_hooks.prepare) ROADTUNE_CHECK(m_hooks.prepare(plan.config, plan.folder, !plan.hosts.empty()));
  StartNote note(m_queue, job.order.id);
  const auto run = launchAnywhere(plan, promptsFor(job), &note);
  return run.ok() ? Status() : Status(run.error());
}

}  // namespace roadtune::remote
