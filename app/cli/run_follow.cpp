// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_follow.h"

#include "app/cli/link_news.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/config/resolve.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/checkpoint_places.h"
#include "remote/launch/resume.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_mirrors.h"
#include "remote/launch/run_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unistd.h>
#include <utility>

namespace roadtune::cli {

namespace fs = std::filesystem;
using protocol::ControlWord;

namespace {

constexpr double kEventsLimit = 30;      // seconds for the end of what is mirrored
constexpr useconds_t kGlance = 100'000;  // microseconds between two looks at the files

// What the user's Ctrl-C, counted, asks of the run.
class Requests {
 public:
  Requests(fs::path run, RunScreen& screen) : m_run(std::move(run)), m_screen(screen) {}

  void serve() {
    const int count = Interrupt::count();
    if (count > 0 && m_served == 0) ask(ControlWord::Stop, "saving and stopping; once more stops at once");
    if (count > 1 && m_served < 2) ask(ControlWord::StopNow, "stopping at once; once more leaves it");
    m_served = std::min(count, 2);
  }

  // What an agent that hangs cannot do, whoever can reach its machine does.
  void endWhatHangs() {
    if (m_served < 2 || m_unheard || m_forced || monotonicSeconds() < m_forceAt) return;
    m_forced = true;
    m_screen.say("no goodbye yet: ending its processes from outside");
    remote::proveGone(m_run, terminalPrompts(), remote::Leftovers::End);
  }

  // A run that was told to stop at once, or cannot be told, may have ended without anybody who could say so.
  bool endedUnseen() {
    if ((m_served < 2 && !m_unheard) || monotonicSeconds() < m_proveAt) return false;
    const auto proofs = remote::proveGone(m_run, terminalPrompts());
    const bool gone = std::all_of(proofs.begin(), proofs.end(), [](const auto& proof) { return proof.gone; });
    m_gone = gone ? m_gone + 1 : 0;
    m_proveAt = monotonicSeconds() + kProofPause;
    return m_gone >= kProofs;
  }

  static bool leaves() { return Interrupt::count() > 2; }

 private:
  static constexpr double kProofPause = 5;  // seconds; what was said last may still be on its way
  static constexpr int kProofs = 3;

  void ask(ControlWord word, const char* words) {
    const auto reply = remote::sendControl(m_run, {.word = word}, terminalPrompts());
    m_screen.say(reply.ok() ? words : reply.error().text());
    m_unheard = !reply.ok();
    m_proveAt = monotonicSeconds() + kProofPause;
    m_forceAt = monotonicSeconds() + remote::kHangs;
  }
  fs::path m_run;
  RunScreen& m_screen;
  int m_served = 0, m_gone = 0;
  bool m_unheard = false, m_forced = false;
  double m_proveAt = 0, m_forceAt = 0;
};

std::string clockTime(double seconds) {
  const auto hundredths = static_cast<long long>(std::llround(seconds * 100));
  return fmt::format("{}:{:02}:{:02}.{:02}", hundredths / 360'000, hundredths / 6'000 % 60, hundredths / 100 % 60,
                     hundredths % 100);
}

void printRow(const char* name, const std::optional<double>& value, int digits) {
  if (value) fmt::print("  {:<24} = {:>12}\n", name, fmt::format("{:.{}f}", *value, digits));
}

remote::RunOutcome unseenEnd() {
  return {.reason = "lost",
          .exitCode = kExitFailed,
          .message = "nothing of the run is left on its machines, and how it ended was not written down there"};
}

}  // namespace

Result<Followed> followRun(const fs::path& run, ScreenStyle style, OnInterrupt onInterrupt, const ToldNotices& told) {
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::loadFor(run, terminalPrompts()));
  ROADTUNE_TRY(const remote::RunMirrors mirrors, remote::RunMirrors::open(run, access));
  ROADTUNE_TRY(runs::RunStore store, runs::RunStore::open(run));
  remote::AgentWatch watch(run);
  RunScreen screen(style, told);
  Requests requests(run, screen);
  LinkNews links(screen);
  while (true) {
    const auto outcome =
        watch.poll(mirrors.unreached(), mirrors.lost());  // before the last look, so that the look sees everything
    ROADTUNE_TRY([[maybe_unused]] const bool changed, store.refresh());
    links.look(mirrors);
    screen.show(store);
    if (outcome) return Followed{.outcome = *outcome};
    if (onInterrupt == OnInterrupt::StopRun) {
      requests.serve();
      requests.endWhatHangs();
    }
    if (onInterrupt == OnInterrupt::StopRun && requests.endedUnseen()) return Followed{.outcome = unseenEnd()};
    if (onInterrupt == OnInterrupt::StopRun && requests.leaves())
      return Followed{.detached = true, .unknown = links.trouble().empty() ? "it was told to stop" : links.trouble()};
    if (onInterrupt == OnInterrupt::Detach && Interrupt::requested())
      return Followed{.detached = true, .unknown = links.trouble()};
    ::usleep(kGlance);
  }
}

namespace {

// Runs on one machine are restarted by their agent, which lives as long as they do; for a job on several machines, and
// where the agent itself is gone, there is only us.
int restartsAllowed(const fs::path& run, const remote::RunOutcome& outcome) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok()) return 0;
  const bool ours =
      outcome.reason == "lost" || (outcome.reason == "failed" && outcome.mayPass && manifest.value().nodes.size() > 1);
  const auto config = config::loadRunConfig(protocol::RunLayout(run).config());
  return ours && config.ok() ? static_cast<int>(config.value().integer("max_restarts")) : 0;
}

// Ranks that lost their agent save and end by themselves, and a machine that does not answer may come back. False when
// the user did not want to wait for that.
bool waitUntilGone(const fs::path& run, ScreenStyle style) {
  constexpr double kEnding = 120, kPause = 5;  // seconds
  std::string told;
  for (double answered = monotonicSeconds(); !Interrupt::requested();) {
    const auto proofs = remote::proveGone(run, terminalPrompts());
    const std::string silent = join(remote::unreached(proofs), ", ");
    const bool gone = std::all_of(proofs.begin(), proofs.end(), [](const auto& proof) { return proof.gone; });
    if (!silent.empty()) answered = monotonicSeconds();
    if (gone || monotonicSeconds() - answered > kEnding) return true;
    if (silent != std::exchange(told, silent) && !silent.empty())
      RunScreen(style).say(fmt::format(
          "waiting for {}: the run is started again when nothing of it is left there; Ctrl-C ends the waiting",
          silent));
    for (const double pause = monotonicSeconds(); monotonicSeconds() - pause < kPause && !Interrupt::requested();)
      ::usleep(kGlance);
  }
  return false;
}

Result<Followed> followWithRestarts(const fs::path& run, ScreenStyle style, OnInterrupt onInterrupt, ToldNotices told) {
  for (int restart = 1;; ++restart) {
    ROADTUNE_TRY(Followed followed, followRun(run, style, onInterrupt, told));
    if (followed.detached || onInterrupt != OnInterrupt::StopRun || Interrupt::requested()) return followed;
    const int allowed = restartsAllowed(run, followed.outcome);
    if (restart > allowed) return followed;
    RunScreen(style).say(followed.outcome.message);
    if (!waitUntilGone(run, style)) return followed;
    told = noticesOf(run);
    auto resumed = remote::resumeRun({.run = run}, terminalPrompts());
    if (!resumed.ok()) {
      followed.outcome.message += "; it could not be started again: " + resumed.error().text();
      return followed;
    }
    RunScreen(style).say(fmt::format("started again from {} ({} of {} restarts), {} steps are repeated",
                                     resumed.value().resumedFrom, restart, allowed, resumed.value().repeatedSteps));
    for (const std::string& note : resumed.value().notes) RunScreen(style).say("warning: " + note);
  }
}

// What a run on other machines has made is wanted here for what comes next: all that is mirrored, results, and the
// newest checkpoint. Not getting it is no failure of the run.
void bringHome(const fs::path& run, ScreenStyle style) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok() || !protocol::runsElsewhere(manifest.value())) return;
  const auto fetch = [&]() -> Status {
    ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts()));
    const int before = Interrupt::count();
    const auto progress = makeProgressSink(progressStyle(style), [before] { return Interrupt::count() > before; });
    ROADTUNE_CHECK(remote::bringEvents(run, access, kEventsLimit));
    ROADTUNE_CHECK(remote::bringResults(run, access, progress.get()));
    const auto places = remote::findCheckpoints(run, access);
    if (places.unreachable.empty() && !places.newest()) return {};
    const auto brought = remote::bringCheckpoint(run, std::nullopt, access, progress.get());
    return brought.ok() ? Status() : Status(brought.error());
  };
  if (const Status status = fetch(); !status.ok())
    RunScreen(style).say(
        fmt::format("warning: what the run has made stays on {}: {}\n  bring it with: roadtune attach {}",
                    manifest.value().nodes.front().address, status.error().text(), run.string()));
}

}  // namespace

Status printSummary(const fs::path& run, const remote::RunOutcome& outcome) {
  ROADTUNE_TRY(runs::RunStore store, runs::RunStore::open(run));
  ROADTUNE_TRY([[maybe_unused]] const bool changed, store.refresh());
  const runs::EndInfo* end = store.end();
  if (end && end->trainRuntime) {
    fmt::print("***** train metrics *****\n");
    printRow("epoch", end->epoch, 4);
    printRow("train_loss", end->trainLoss, 4);
    fmt::print("  {:<24} = {:>12}\n", "train_runtime", clockTime(*end->trainRuntime));
    printRow("train_samples_per_second", end->trainSamplesPerSecond, 3);
    printRow("train_steps_per_second", end->trainStepsPerSecond, 3);
  }
  const auto progress = store.progress();
  if (const runs::Series* loss = store.series("train/loss"); loss && !loss->empty())
    fmt::print("loss {} at step {} → {} at step {}\n", formatNumber(loss->at(0).value), loss->at(0).step,
               formatNumber(loss->last().value), loss->last().step);
  if (!store.checkpoints().empty()) {
    const auto& last = store.checkpoints().back();
    fmt::print("last checkpoint: {} (step {})\n", last.place, last.step);
  }
  // A run whose end was moved may have gone further than it had to.
  const bool further = progress.totalSteps < progress.step;
  const std::string why =
      outcome.reason == "finished" && end && !end->message.empty() ? ": " + end->message : std::string();
  fmt::print("{} after {}{} steps{}\nrun: {}\n", outcome.reason, formatCount(progress.step),
             further ? "" : " of " + formatCount(progress.totalSteps), why, run.string());
  return {};
}

Result<int> followToTheEnd(const fs::path& run, ScreenStyle style, OnInterrupt onInterrupt, const ToldNotices& told) {
  ROADTUNE_TRY(const Followed followed, followWithRestarts(run, style, onInterrupt, told));
  if (followed.detached) {
    RunScreen(style).say(fmt::format(
        "detached; {}. Back with: roadtune attach {}",
        followed.unknown.empty() ? "the run goes on" : "whether the run goes on is not known: " + followed.unknown,
        run.string()));
    return onInterrupt == OnInterrupt::Detach ? int{kExitDone} : int{kExitInterrupted};
  }
  const remote::RunOutcome& outcome = followed.outcome;
  if (outcome.reason == "failed" || outcome.reason == "lost") {
    Error error = remote::toError(outcome);
    error.what += "\n  run: " + run.string();
    return error;
  }
  bringHome(run, style);
  if (const std::string why = outcome.reason == "finished" ? remote::bestMissing(run) : ""; !why.empty())
    RunScreen(style).say("warning: there is no best/, though load_best_model_at_end asks for it: " + why);
  ROADTUNE_CHECK(printSummary(run, outcome));
  return onInterrupt == OnInterrupt::Detach ? int{kExitDone} : outcome.exitCode;
}

}  // namespace roadtune::cli
