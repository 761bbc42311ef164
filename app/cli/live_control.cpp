// SPDX-License-Identifier: GPL-3.0-or-later
// pause, continue, set, evaluate: what may change while a run goes on. Everything takes effect at the next step
// boundary, and these commands wait until the run says that it did.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "app/cli/request_heard.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/counted.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_control.h"
#include "remote/launch/run_folder.h"
#include "remote/launch/run_mirrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <unistd.h>
#include <vector>

namespace roadtune::cli {

namespace fs = std::filesystem;
using protocol::ControlWord;

namespace {

struct LiveOptions {
  std::string run;
  std::vector<std::string> settings;
  double limit = 600;
};

using Heard = std::function<bool(const protocol::FlatEvent&)>;

// What a run on other machines told before arrives only now, so an event answers once the run has named the request.
Heard afterNamed(std::string id, Heard heard) {
  return [id = std::move(id), heard = std::move(heard), named = false](const protocol::FlatEvent& event) mutable {
    named = named || hearsRequest(event, id);
    return named && heard(event);
  };
}

// Sends a command and waits for the event of rank 0 that answers it.
Result<int> sendAndHear(const LiveOptions& options, protocol::ControlCommand command, const Heard& heard,
                        const char* what) {
  Interrupt::install();  // before anything is asked at the terminal, which would stay without echo
  ROADTUNE_TRY(const fs::path run, remote::findRun(options.run));
  const auto prompts = terminalPrompts();
  ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::loadFor(run, prompts));
  ROADTUNE_TRY(const remote::RunMirrors mirrors, remote::RunMirrors::open(run, access));
  protocol::EventReader events(protocol::RunLayout(run).rankEvents(0));
  ROADTUNE_CHECK(events.pollFlat([](const protocol::FlatEvent&) {}));
  command.id = requestId(command.word);
  const Heard answer = afterNamed(command.id, heard);
  ROADTUNE_TRY(const protocol::ControlReply reply, remote::sendControl(run, command, prompts));
  if (!reply.ok) return failed(reply.message, run.string());
  const double deadline = monotonicSeconds() + options.limit;
  while (monotonicSeconds() < deadline) {
    const bool alive = remote::isAlive(run);
    bool done = false;
    ROADTUNE_CHECK(events.pollFlat([&](const protocol::FlatEvent& event) { done = done || answer(event); }));
    if (done) return kExitDone;
    if (!alive) return failed("the run ended before that", run.string(), "roadtune runs show tells how");
    if (Interrupt::requested()) return cancelled("not waiting any more; the run was told");
    ::usleep(50'000);
  }
  return failed(fmt::format("{} after {}; the run was told", what, formatDuration(options.limit)), run.string());
}

// Is the run paused now? By its last phase; of a run on other machines, whose news are late, nothing is known.
Result<std::optional<bool>> pausedNow(const std::string& folder) {
  ROADTUNE_TRY(const fs::path run, remote::findRun(folder));
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!remote::isAlive(run) || (manifest.ok() && protocol::runsElsewhere(manifest.value())))
    return std::optional<bool>();
  bool paused = false;
  protocol::EventReader events(protocol::RunLayout(run).rankEvents(0));
  ROADTUNE_CHECK(events.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "phase") paused = event.members.textOr("name") == "paused";
  }));
  return std::optional<bool>(paused);
}

// The run names such a request once it has obeyed.
Heard obeyed(const char* words) {
  return [words](const protocol::FlatEvent& event) { return fmt::print("{} at step {}\n", words, event.step), true; };
}

Result<int> pauseRun(const LiveOptions& options) {
  ROADTUNE_TRY(const auto paused, pausedNow(options.run));
  if (paused == true) return fmt::print(stderr, "the run is paused already\n"), kExitDone;
  return sendAndHear(options, {.word = ControlWord::Pause}, obeyed("paused"), "not paused");
}

Result<int> continueRun(const LiveOptions& options) {
  ROADTUNE_TRY(const auto paused, pausedNow(options.run));
  if (paused == false) return fmt::print(stderr, "the run is not paused\n"), kExitDone;
  return sendAndHear(options, {.word = ControlWord::Resume}, obeyed("goes on"), "still paused");
}

Result<int> set(const LiveOptions& options) {
  ROADTUNE_TRY(const protocol::ControlCommand command,
               protocol::parseControlLine("set " + join(options.settings, " ")));
  static const std::vector<const char*> kKeys{"learning_rate", "max_grad_norm", "logging_steps", "save_steps",
                                              "eval_steps"};
  bool none = false;
  std::string why;  // what the run warns of one of them
  const auto heard = [&](const protocol::FlatEvent& event) {
    if (event.kind == "warning" && std::ranges::find(kKeys, event.members.textOr("where")) != kKeys.end())
      why = event.members.textOr("message");
    if (event.kind != "edit") return false;
    std::string changed;
    for (const char* key : kKeys)
      if (event.members.find(key)) changed += fmt::format(" {}={}", key, formatNumber(event.members.numberOr(key, 0)));
    none = changed.empty();
    if (!none) fmt::print("from step {} on:{}\n", event.step + 1, changed);
    return true;
  };
  ROADTUNE_TRY(const int code, sendAndHear(options, command, heard, "not changed"));
  if (!why.empty() && !none) fmt::print(stderr, "warning: {}\n", why);
  if (none)
    return failed("nothing was changed" + (why.empty() ? "" : ": " + why), options.run,
                  why.empty() ? "the run's log says why" : "");
  return code;
}

// The numbers of the evaluation that follows the answer, or why there is none.
Result<int> evaluateNow(const LiveOptions& options) {
  std::string refused;
  const auto heard = [&refused](const protocol::FlatEvent& event) {
    refused = event.kind == "control" ? event.members.textOr("refused") : "";
    if (event.kind != "eval") return !refused.empty();
    fmt::print("step {}: loss {}", event.step, formatNumber(event.members.numberOr("loss", 0)));
    for (const char* key : {"AP", "AP50", "accuracy", "malformed"})
      if (event.members.find(key)) fmt::print(", {} {}", key, formatNumber(event.members.numberOr(key, 0)));
    fmt::print(", over {} in {}\n", counted(static_cast<std::size_t>(event.members.numberOr("samples", 0)), "sample"),
               formatDuration(event.members.numberOr("seconds", 0)));
    return true;
  };
  ROADTUNE_TRY(const int code, sendAndHear(options, {.word = ControlWord::Evaluate}, heard, "not evaluated"));
  if (!refused.empty()) return failed(refused, options.run, "eval_data or eval_fraction, for the next run");
  return code;
}

CLI::App& addCommon(CLI::App& app, LiveOptions& options) {
  app.add_option("run", options.run, "the run's folder (output_dir)")->required();
  app.add_option("--timeout", options.limit, "seconds to wait for the run to do it")->check(notNegative());
  return app;
}

const Registration kPause{"pause", "Hold a run at its next step; its processes and memory stay",
                          [](CLI::App& app) -> Action {
                            auto options = std::make_shared<LiveOptions>();
                            addCommon(app, *options);
                            return [options] { return pauseRun(*options); };
                          }};

const Registration kContinue{"continue", "Let a paused run go on", [](CLI::App& app) -> Action {
                               auto options = std::make_shared<LiveOptions>();
                               addCommon(app, *options);
                               return [options] { return continueRun(*options); };
                             }};

const Registration kEvaluate{"evaluate", "Make a run evaluate now, with predictions; its schedule stays as it is",
                             [](CLI::App& app) -> Action {
                               auto options = std::make_shared<LiveOptions>(LiveOptions{.limit = 3600});
                               addCommon(app, *options);
                               return [options] { return evaluateNow(*options); };
                             }};

const Registration kSet{"set", "Change settings of a run while it goes on: learning_rate=1e-5 save_steps=50",
                        [](CLI::App& app) -> Action {
                          auto options = std::make_shared<LiveOptions>();
                          addCommon(app, *options);
                          app.add_option("settings", options->settings,
                                         "learning_rate, max_grad_norm, logging_steps, save_steps, eval_steps")
                              ->required();
                          return [options] { return set(*options); };
                        }};

}  // namespace
}  // namespace roadtune::cli
