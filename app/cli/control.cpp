// SPDX-License-Identifier: GPL-3.0-or-later
// save, stop: words to a run, from any terminal.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "app/cli/request_heard.h"
#include "app/cli/save_answer.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/leftovers.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/run_mirrors.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unistd.h>

namespace roadtune::cli {

namespace fs = std::filesystem;
using protocol::ControlWord;

namespace {

constexpr double kProofPause = 10;  // seconds
constexpr double kQuietWait = 60;   // for the end, until the user is told what it takes; half the limit at most

struct ControlOptions {
  std::string run;
  bool now = false;
  double limit = 1800;
};

// What a run on other machines answers becomes visible here only while its files are brought over.
Result<remote::RunMirrors> mirrorsOf(const fs::path& run) {
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::loadFor(run, terminalPrompts()));
  return remote::RunMirrors::open(run, access);
}

// Where a checkpoint lies: its folder here, or after the name of the machine that has it.
std::string placeOf(const fs::path& run, const std::string& saved) {
  std::error_code absent;
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (manifest.ok() && !fs::exists(run / saved / protocol::kCompleteMarker, absent))
    for (const auto& node : manifest.value().nodes)
      if (node.node == 0 && !node.address.empty()) return node.address + ":" + node.folder + "/" + saved;
  return (run / saved).string();
}

// Waits for rank 0 to report the checkpoint that answers this request.
Result<int> save(const ControlOptions& options) {
  Interrupt::install();  // before anything is asked at the terminal, which would stay without echo
  ROADTUNE_TRY(const fs::path run, remote::findRun(options.run));
  ROADTUNE_TRY(const remote::RunMirrors mirrors, mirrorsOf(run));
  protocol::EventReader events(protocol::RunLayout(run).rankEvents(0));
  SaveAnswer answer;
  ROADTUNE_CHECK(events.pollFlat([&answer](const protocol::FlatEvent& event) { answer.past(event); }));
  const std::string id = requestId(ControlWord::Save);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  answer.expect(id, !manifest.ok() || !protocol::runsElsewhere(manifest.value()));
  ROADTUNE_TRY(const protocol::ControlReply reply,
               remote::sendControl(run, {.id = id, .word = ControlWord::Save}, terminalPrompts()));
  if (!reply.ok) return failed(reply.message, run.string());
  const double deadline = monotonicSeconds() + options.limit;
  while (monotonicSeconds() < deadline) {
    const bool alive = remote::isAlive(run);
    ROADTUNE_CHECK(events.pollFlat([&answer](const protocol::FlatEvent& event) { answer.take(event); }));
    if (answer.saved()) return fmt::print("{}\n", placeOf(run, *answer.saved())), kExitDone;
    if (!answer.trouble().empty()) return failed(answer.trouble(), run.string());
    if (!alive) return failed("the run ended before it saved", run.string());
    if (Interrupt::requested()) return cancelled("not waiting any more; the run saves at its next step");
    ::usleep(50'000);
  }
  return failed(fmt::format("no checkpoint after {}", formatDuration(options.limit)), run.string());
}

int printProof(const std::vector<remote::NodeProof>& proofs) {
  bool gone = true;
  for (const auto& proof : proofs) {
    fmt::print("{} node {} ({}): {}{}\n", proof.gone ? "✓" : "✗", proof.node, proof.host,
               proof.gone       ? "no process left"
               : !proof.reached ? "cannot be asked"
                                : fmt::format("{} left", proof.left.size()),
               !proof.gpuFree   ? ""
               : *proof.gpuFree ? ", GPU memory back"
                                : ", and the driver still counts them on a card: look at nvidia-smi there");
    for (const auto& process : proof.left) fmt::print("    {}\n", process);
    gone &= proof.gone;
  }
  return gone ? kExitDone : kExitFailed;
}

// What a run does that was told to stop, for whoever waits for it.
class StopWatch {
 public:
  StopWatch(const ControlOptions& options, fs::path run)
      : m_options(options),
        m_run(std::move(run)),
        m_tellAt(monotonicSeconds() + std::min(kQuietWait, options.limit / 2)),
        m_forceAt(monotonicSeconds() + std::min(remote::kHangs, options.limit / 2)) {}

  // Machines that cannot be reached never say goodbye: is there anything left to wait for?
  bool goneWhereReached() {
    const auto proofs = remote::proveGone(m_run, terminalPrompts());
    for (const auto& proof : proofs)
      if (!proof.reached && m_named.insert(proof.host).second)
        fmt::print(stderr, "{} cannot be asked; waiting for the others\n", proof.host);
    if (std::all_of(proofs.begin(), proofs.end(), [](const auto& proof) { return proof.gone || !proof.reached; }))
      return true;
    if (!m_told && monotonicSeconds() >= m_tellAt) tell(proofs);
    return false;
  }

  // What an agent that hangs cannot do, whoever can reach its machine does.
  void endWhatHangs() {
    if (!m_options.now || m_forced || monotonicSeconds() < m_forceAt) return;
    m_forced = true;
    fmt::print(stderr, "no goodbye yet: ending its processes from outside\n");
    remote::proveGone(m_run, terminalPrompts(), remote::Leftovers::End);
  }

  double nextLook() const {
    const double next = monotonicSeconds() + kProofPause;
    return m_told ? next : std::min(next, std::max(m_tellAt, monotonicSeconds()));
  }

 private:
  void tell(const std::vector<remote::NodeProof>& proofs) {
    m_told = true;
    std::string left;
    for (const auto& proof : proofs)
      if (!proof.gone && proof.reached)
        left += (left.empty() ? "" : ", ") + fmt::format("node {} ({})", proof.node, proof.host);
    fmt::print(stderr, "still waiting for {}", left);
    if (m_options.now) return fmt::print(stderr, ": its processes do not end\n");
    fmt::print(
        stderr,
        ": to save, all ranks must come to the end of a step together, and they do not where one hangs or is cut "
        "off\n  roadtune stop {} --now ends it without saving; Ctrl-C ends only the waiting\n",
        m_options.run);
  }

  const ControlOptions& m_options;
  fs::path m_run;
  double m_tellAt, m_forceAt;
  bool m_told = false, m_forced = false;
  std::set<std::string> m_named;  // machines already told of
};

// Tells a living run to stop, and waits until it has.
Status stopAndWait(const fs::path& run, const ControlOptions& options) {
  ROADTUNE_TRY(const remote::RunMirrors mirrors, mirrorsOf(run));
  const ControlWord word = options.now ? ControlWord::StopNow : ControlWord::Stop;
  const auto reply = remote::sendControl(run, {.word = word}, terminalPrompts());
  if (!reply.ok() && Interrupt::requested()) return cancelled("the run was not told to stop");
  if (!reply.ok() && remote::isAlive(run)) return reply.error();
  fmt::print(stderr, "{}\n", options.now ? "stopping" : "saving and stopping");
  const double deadline = monotonicSeconds() + options.limit;
  StopWatch watch(options, run);
  double lookAt = watch.nextLook();
  while (remote::isAlive(run) && monotonicSeconds() < deadline) {
    if (Interrupt::requested()) return cancelled("not waiting any more; the run was told to stop");
    watch.endWhatHangs();
    if (monotonicSeconds() > lookAt) {
      if (watch.goneWhereReached()) break;
      lookAt = watch.nextLook();
    }
    ::usleep(50'000);
  }
  return {};
}

// Whoever stops a copy may mean the run it was made of.
std::string wordsOfOriginal(const fs::path& run) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (manifest.ok() && protocol::runsElsewhere(manifest.value())) return {};
  const auto original = remote::livingOriginal(run);
  return original ? fmt::format("; this is a copy of {}, which is", original->string()) : "";
}

Result<int> stop(const ControlOptions& options) {
  Interrupt::install();  // before anything is asked at the terminal, which would stay without echo
  ROADTUNE_TRY(const fs::path run, remote::findRun(options.run));
  Status told;
  if (remote::isAlive(run))
    told = stopAndWait(run, options);
  else
    fmt::print(stderr, "the run is not going on{}\n", wordsOfOriginal(run));
  if (!told.ok() && told.error().kind == ErrorKind::Cancelled) return told.error();
  const auto leftovers = options.now && told.ok() ? remote::Leftovers::End : remote::Leftovers::Keep;
  const int code = printProof(remote::proveGone(run, terminalPrompts(), leftovers));
  ROADTUNE_CHECK(told);
  if (code != kExitDone && !options.now)
    fmt::print(stderr, "roadtune stop {} --now ends what is left\n", remote::shellQuote(options.run));
  return code;
}

CLI::Option* addRun(CLI::App& app, ControlOptions& options) {
  return app.add_option("run", options.run, "the run's folder (output_dir)")->required();
}

const Registration kSave{
    "save", "Make a run write a checkpoint now", [](CLI::App& app) -> Action {
      auto options = std::make_shared<ControlOptions>();
      addRun(app, *options);
      app.add_option("--timeout", options->limit, "seconds to wait for the checkpoint")->check(notNegative());
      return [options] { return save(*options); };
    }};

const Registration kStop{
    "stop", "Save and end a run, and prove that nothing is left", [](CLI::App& app) -> Action {
      auto options = std::make_shared<ControlOptions>();
      addRun(app, *options);
      app.add_flag("--now", options->now, "without saving");
      app.add_option("--timeout", options->limit, "seconds to wait for the end")->check(notNegative());
      return [options] { return stop(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
