// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune mirror RUN: complete checkpoints copied away, by a process that the training never waits for.
#include "app/cli/command.h"
#include "app/cli/run_copies.h"
#include "core/base/clock.h"
#include "core/base/counted.h"
#include "core/base/file_lock.h"
#include "core/base/units.h"
#include "core/config/resolve.h"
#include "core/protocol/manifest.h"
#include "remote/launch/agent_watch.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/run_mirrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace roadtune::cli {

namespace {

constexpr double kPoll = 1, kPollElsewhere = 15;       // seconds between two looks at the run's folder
constexpr double kFirstPause = 1, kLongestPause = 15;  // between tries after a failure
constexpr double kPatience = 3600;                     // of failures after the run has ended

struct MirrorOptions {
  std::string run, to, progress;
  bool follow = false, background = false;
};

// Checkpoints written on another machine come here first.
class Elsewhere {
 public:
  static Result<Elsewhere> open(const fs::path& run) {
    Elsewhere elsewhere;
    const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
    if (!manifest.ok() || !protocol::runsElsewhere(manifest.value())) return elsewhere;
    ROADTUNE_TRY(elsewhere.m_access, remote::HostAccess::load());
    ROADTUNE_TRY(elsewhere.m_mirrors, remote::RunMirrors::open(run, *elsewhere.m_access));
    return elsewhere;
  }
  bool any() const { return m_access.has_value(); }

  Status bring(const fs::path& run, ProgressSink& progress) const {
    if (!m_access) return {};
    const auto places = remote::findCheckpoints(run, *m_access);
    if (!places.unreachable.empty()) return failed(places.unreachable, places.host);
    for (const auto step : places.there) {
      const auto brought = remote::bringCheckpoint(run, step, *m_access, &progress);
      if (!brought.ok()) return brought.error();
    }
    return {};
  }

 private:
  std::optional<remote::HostAccess> m_access;
  std::optional<remote::RunMirrors> m_mirrors;
};

// The life of one mirror.
class Mirroring {
 public:
  Mirroring(fs::path run, std::string target, Elsewhere elsewhere, protocol::EventWriter& events,
            ProgressSink& progress)
      : m_run(std::move(run)),
        m_elsewhere(std::move(elsewhere)),
        m_copies(protocol::RunLayout(m_run), std::move(target), events, progress),
        m_events(events),
        m_progress(progress),
        m_agents(m_run) {}

  Result<int> once() {
    ROADTUNE_CHECK(m_elsewhere.bring(m_run, m_progress));
    ROADTUNE_CHECK(m_copies.copyNew());
    ROADTUNE_CHECK(m_copies.copyEnd());
    return kExitDone;
  }

  Result<int> follow() {
    while (!Interrupt::requested()) {
      const bool ended = m_agents.poll().has_value();
      if (!m_copies.ownsRun()) return bye("stopped", "the folder belongs to another run now", kExitDone);
      const Status done = look(ended);
      if (!done.ok() && Interrupt::requested()) break;
      if (!done.ok() && done.error().kind == ErrorKind::BadInput) return giveUp(done.error());
      if (!done.ok() && ended && monotonicSeconds() - m_failingSince > kPatience) return giveUp(done.error());
      if (done.ok() && ended) return bye("finished", "", kExitDone);
      wait(done.ok() ? (m_elsewhere.any() ? kPollElsewhere : kPoll) : m_pause);
    }
    return bye("stopped", "", kExitInterrupted);
  }

  std::size_t count() const { return m_copies.count(); }

 private:
  Status look(bool ended) {
    Status status = m_elsewhere.bring(m_run, m_progress);
    if (status.ok()) status = m_copies.copyNew();
    if (status.ok() && ended) status = m_copies.copyEnd();
    if (status.ok()) {
      m_pause = 0;
      return status;
    }
    if (m_pause == 0) {
      m_failingSince = monotonicSeconds();
      tell("warning", "checkpoints are not copied for now: " + status.error().what, status.error());
    }
    m_pause = std::clamp(2 * m_pause, kFirstPause, kLongestPause);
    return status;
  }

  void tell(const char* kind, const std::string& message, const Error& error) {
    m_events.write(kind, 0, {{"message", message}, {"where", error.where}, {"hint", error.hint}});
    fmt::print(stderr, "{} {}\n", isoTime(wallSeconds()), error.text());
  }

  Result<int> giveUp(const Error& error) {
    tell("error", "checkpoints are no longer copied: " + error.what, error);
    return bye("failed", error.text(), kExitFailed);
  }

  int bye(const char* reason, const std::string& message, int code) {
    m_events.write("bye", 0, {{"reason", reason}, {"message", message}, {"checkpoints", m_copies.count()}});
    m_events.flush();
    return code;
  }

  static void wait(double seconds) {
    for (const double until = monotonicSeconds() + seconds; monotonicSeconds() < until && !Interrupt::requested();)
      ::usleep(50'000);
  }

  fs::path m_run;
  Elsewhere m_elsewhere;
  RunCopies m_copies;
  protocol::EventWriter& m_events;
  ProgressSink& m_progress;
  remote::AgentWatch m_agents;
  double m_pause = 0, m_failingSince = 0;
};

// One mirror per run; a second one waits until the first has ended.
Result<UniqueFd> waitForTurn(const fs::path& run) {
  return waitForLock(run / ".copies.lock", [] { return !Interrupt::requested(); });
}

Result<std::string> targetOf(const MirrorOptions& options, const fs::path& run) {
  std::string place = options.to;
  if (place.empty()) {
    ROADTUNE_TRY(const config::RunConfig config, config::loadRunConfig(protocol::RunLayout(run).config()));
    place = config.text("mirror_checkpoints_to");
  }
  if (place.empty())
    return badInput("where to?", "--to", "--to s3://bucket/prefix, or mirror_checkpoints_to in run.yaml");
  const std::string asked = options.to.empty() ? "mirror_checkpoints_to" : "--to";
  if (place == "s3://" || place == "gs://") return badInput("names no bucket", asked, place + "bucket/prefix");
  std::string target = belowPlace(place, run.filename().string());
  std::error_code code;
  const fs::path whole = fs::weakly_canonical(target, code), own = fs::weakly_canonical(run, code);
  if (std::mismatch(own.begin(), own.end(), whole.begin(), whole.end()).first == own.end())
    return badInput("is where the run itself lies", asked, "another folder");
  return target;
}

// The caller goes on at once; what is said from now on goes into the run's log.
bool goIntoBackground(const fs::path& run) {
  if (::fork() != 0) return false;
  ::setsid();
  std::signal(SIGHUP, SIG_IGN);
  const protocol::RunLayout layout(run);
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const UniqueFd log(::open((layout.logs() / "mirror.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  ::dup2(nothing.get(), STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(log.valid() ? log.get() : nothing.get(), stream);
  [[maybe_unused]] const int nicer = ::nice(10);  // the training comes first
  return true;
}

Result<int> mirror(const MirrorOptions& options) {
  ROADTUNE_TRY(const fs::path run, remote::findRun(options.run));
  ROADTUNE_TRY(const std::string target, targetOf(options, run));
  ROADTUNE_TRY(ProgressStyle style, parseProgressStyle(options.progress));
  if (options.background && !goIntoBackground(run)) return kExitDone;
  if (options.background) style = ProgressStyle::None;
  Interrupt::install();
  ROADTUNE_TRY(const UniqueFd turn, waitForTurn(run));
  ROADTUNE_TRY(const auto events, protocol::EventWriter::open(protocol::RunLayout(run).mirrorEvents(), 0));
  ROADTUNE_TRY(Elsewhere elsewhere, Elsewhere::open(run));
  events->write("hello", 0, {{"target", target}});
  const auto progress = makeProgressSink(style);
  Mirroring mirroring(run, target, std::move(elsewhere), *events, *progress);
  const auto ended = options.follow ? mirroring.follow() : mirroring.once();
  if (ended.ok()) fmt::print("{} in {}\n", counted(mirroring.count(), "checkpoint"), target);
  return ended;
}

const Registration kMirror{
    "mirror", "Copy the complete checkpoints of a run to object storage, a folder or another machine",
    [](CLI::App& app) -> Action {
      auto options = std::make_shared<MirrorOptions>();
      app.footer("`roadtune train` does it by itself when the configuration says mirror_checkpoints_to.");
      app.add_option("run", options->run, "the run's folder (output_dir)")->required();
      app.add_option("--to", options->to,
                     "s3://bucket/prefix, gs://bucket/prefix, a folder or HOST:/folder; the "
                     "run gets a folder of its name below");
      app.add_flag("--follow", options->follow, "go on until the run has ended, and try again what fails");
      app.add_flag("--background", options->background, "return at once; see logs/mirror.log of the run");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return mirror(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
