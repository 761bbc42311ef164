// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/queue_worker.h"

#include "core/base/clock.h"
#include "core/base/file_lock.h"
#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/cut_start.h"
#include "remote/launch/host_launch.h"
#include "remote/launch/launch.h"
#include "remote/launch/resume.h"
#include "remote/launch/run_control.h"
#include "remote/queue/own_run.h"
#include "remote/ssh/tcp.h"

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
  if (ownRun(job)) request.overrides.emplace_back("overwrite_output_dir=true");  // what its own failure left
  return request;
}

// Home folders are shared by machines, and so is the queue in them: a process number alone says little.
std::string hostOfHolder(const JobQueue& queue) {
  const auto words = split(readFile(lockFile(queue)).valueOr(""), ' ');
  return words.size() > 1 ? std::string(trim(words[1])) : std::string();
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
  if (const std::string host = hostOfHolder(queue); !host.empty() && host != hostName())
    return badInput(fmt::format("process {} of {} works on this queue", *worker, host), queue.folder().string(),
                    "ask it on that machine");
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
  const std::string who = fmt::format("{} {}\n", ::getpid(), hostName());
  if (::ftruncate(lock->get(), 0) != 0 || ::pwrite(lock->get(), who.data(), who.size(), 0) < 0)
    return systemError("cannot write", path.string());
  return QueueWorker(std::move(queue), std::move(hooks), std::move(*lock));
}

Result<bool> QueueWorker::look() {
  ROADTUNE_TRY(const auto before, m_queue.jobs());
  ROADTUNE_CHECK(noteQuestions(before));
  Status trouble;  // the first one; the other jobs are looked after all the same
  const auto keep = [&trouble](Status status) {
    if (!status.ok() && trouble.ok()) trouble = std::move(status);
  };
  for (const QueueJob& job : before)
    if (job.order.state == JobState::Running) keep(noteEnd(job));
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
      if (job.order.id != id || !m_hooks.goesOn()) continue;
      const auto ready = inputsThere(job);
      if (!ready.ok()) keep(ready.error());
      if (ready.ok() && ready.value()) keep(start(job));
    }
  if (!trouble.ok()) return trouble.error();
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

Result<bool> QueueWorker::settleStart(const QueueJob& job) {
  // A worker that died before there was a run: what lies there tells of another one.
  if (!hasBegun(job)) return false;
  ROADTUNE_TRY(const HostAccess access, HostAccess::loadFor(job.folder, promptsFor(job)));
  ROADTUNE_CHECK(closeStart(job.folder, access));
  const Status whole = requireWholeStart(job.folder);
  if (whole.ok()) return true;
  // Some of its machines have an agent, which waits for the others.
  for (const NodeProof& proof : proveGone(job.folder, promptsFor(job), Leftovers::End))
    if (!proof.gone) return whole.error();
  return false;
}

Status QueueWorker::noteEnd(const QueueJob& job) {
  if (job.starting > 0) {
    if (job.order.notBefore > wallSeconds()) return {};
    const auto goesOn = settleStart(job);
    if (!goesOn.ok()) return noteSilence(job, goesOn.error().text());
    if (!goesOn.value()) return noteWaiting(job);
    ROADTUNE_CHECK(m_queue.update(job.order.id, [](QueueJob& now) {
      now.starting = 0;
      now.message.clear();
    }));
  }
  auto watched = m_watched.find(job.order.id);
  if (watched == m_watched.end()) {
    ROADTUNE_TRY(const HostAccess access, HostAccess::loadFor(job.folder, promptsFor(job)));
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

// A machine has to say something first; it is asked again in a while.
Status QueueWorker::noteSilence(const QueueJob& job, const std::string& message) {
  return m_queue.update(job.order.id, [&message](QueueJob& now) {
    now.order.notBefore = wallSeconds() + kSilencePause;
    now.message = message;
  });
}

Status QueueWorker::noteFailure(const QueueJob& job, const std::string& message, bool mayPass) {
  const bool again = mayPass && job.failures < job.retries;
  m_hooks.say(fmt::format("job {} failed{}: {}", job.order.id, again ? " and is tried again" : "", message));
  return m_queue.update(job.order.id, [&](QueueJob& now) {
    now.failures += 1;
    now.starting = 0;
    now.order.state = again ? JobState::Waiting : JobState::Failed;
    now.order.notBefore = again ? wallSeconds() + policy::pauseAfterFailures(now.failures) : 0;
    now.ended = wallSeconds();
    now.message = message;
  });
}

Status QueueWorker::start(const QueueJob& job) {
  // Of machines that do not answer nobody knows whether the run that failed still lives there.
  std::vector<std::string> silent;
  if (job.failures > 0 || ownRun(job)) silent = unreached(proveGone(job.folder, promptsFor(job)));
  if (!silent.empty()) {
    if (m_desk && !m_desk->questionsOf(job.order.id).empty()) return noteAsking(job);
    return noteSilence(job,
                       fmt::format("waits for {}, which cannot be reached and may still run it", join(silent, ", ")));
  }
  std::vector<std::string> runs;
  if (const auto own = ownRun(job)) runs.push_back(own->runId);
  runs.push_back(newRunId(job));
  // Since this look began, other starts may have taken minutes.
  ROADTUNE_TRY(const bool taken, m_queue.claim(job.order.id, [&runs](QueueJob& now) {
    now.order.state = JobState::Running;
    now.started = wallSeconds();
    now.message = "starting";
    now.runs = runs;
    now.starting = 1;
  }));
  if (!taken) return {};
  if (const Status launched = launchJob(job, runs.back()); !launched.ok()) {
    if (m_desk && !m_desk->questionsOf(job.order.id).empty()) return noteAsking(job);
    if (launched.error().kind == ErrorKind::Cancelled) return noteWaiting(job);
    if (const Error& error = launched.error(); tellsOfSilence(error))
      return noteWaiting(job, fmt::format("waits for {}: {}", error.where, error.what));
    return noteFailure(job, launched.error().text(), launched.error().kind == ErrorKind::Failed);
  }
  m_hooks.say(fmt::format("job {} started: {}", job.order.id, job.folder));
  return m_queue.update(job.order.id, [](QueueJob& now) {
    now.starting = 0;
    now.message.clear();
  });
}

// Its start was cut, by the user or with the worker, or a machine did not answer, which is asked again in a while: the
// job keeps its place, and its turn comes again.
Status QueueWorker::noteWaiting(const QueueJob& job, const std::string& silence) {
  if (silence.empty() || silence != job.message)  // not each time a machine is asked again
    m_hooks.say(silence.empty() ? fmt::format("job {} waits again: {}", job.order.id, job.folder)
                                : fmt::format("job {} {}", job.order.id, silence));
  return m_queue.update(job.order.id, [&](QueueJob& now) {
    now.order.state = JobState::Waiting;
    now.order.notBefore = silence.empty() ? 0 : wallSeconds() + kSilencePause;
    now.started = job.started;
    now.starting = 0;
    now.message = silence;
  });
}

// It was no attempt: nothing of the run has been started, and it keeps its place.
Status QueueWorker::noteAsking(const QueueJob& job) {
  const std::string what = describe(m_desk->questionsOf(job.order.id).front());
  m_hooks.say(fmt::format("job {} asks for {}", job.order.id, what));
  return m_queue.update(job.order.id, [&](QueueJob& now) {
    now.order.state = JobState::Waiting;
    now.order.asks = true;
    now.started = job.started;
    now.starting = 0;
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

// A job that was started before goes on from its newest checkpoint, where it has one. A machine that cannot be asked
// may have one.
Status QueueWorker::launchJob(const QueueJob& job, const std::string& newId) const {
  const auto own = ownRun(job);
  if (!own) return startAfresh(job, newId);
  ROADTUNE_TRY(const HostAccess access, HostAccess::loadFor(job.folder, promptsFor(job)));
  const CheckpointPlaces places = findCheckpoints(job.folder, access);
  if (!places.unreachable.empty()) return failed(places.unreachable, places.host);
  if (!places.newest()) return startAfresh(job, newId);
  ROADTUNE_CHECK(m_queue.update(job.order.id, [&own](QueueJob& now) {
    now.runs = {own->runId};
    now.starting = own->attempt + 1;
  }));
  StartNote note(m_queue, job.order.id);
  const auto run = resumeRun({.run = job.folder, .processesPerNode = job.processes}, promptsFor(job), &note);
  if (!run.ok()) return run.error();
  for (const std::string& one : run.value().notes) m_hooks.say(fmt::format("job {}: {}", job.order.id, one));
  return {};
}

Status QueueWorker::startAfresh(const QueueJob& job, const std::string& newId) const {
  ROADTUNE_TRY(LaunchPlan plan, planLaunch(requestFor(job)));
  plan.runId = newId;
  if (m_hooks.prepare) ROADTUNE_CHECK(m_hooks.prepare(plan.config, plan.folder, !plan.hosts.empty()));
  StartNote note(m_queue, job.order.id);
  const auto run = launchAnywhere(plan, promptsFor(job), &note);
  return run.ok() ? Status() : Status(run.error());
}

}  // namespace roadtune::remote
