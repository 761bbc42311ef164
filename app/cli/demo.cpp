// SPDX-License-Identifier: GPL-3.0-or-later
// From nothing to a trained model in two minutes: drawn scenes, an index, a tiny random model, a run.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "app/cli/run_follow.h"
#include "core/base/files.h"
#include "core/base/progress.h"
#include "core/base/subprocess.h"
#include "core/config/presets.h"
#include "remote/launch/launch.h"

#include <fmt/format.h>

#include <fcntl.h>

namespace roadtune::cli {

namespace {

struct DemoOptions {
  std::string out = "roadtune-demo", progress;
  int steps = 0, processes = 0;
  bool prepareOnly = false;
};

// Runs one of our own commands in the demo's folder, its progress going where ours goes.
Status runStep(const DemoOptions& options, const fs::path& folder, std::vector<std::string> words) {
  const std::string shown = "roadtune " + words[0] + " " + words[1];
  fmt::print(stderr, "{}\n", shown);
  words.insert(words.begin(), (programFolder() / "roadtune").string());
  if (!options.progress.empty() && words[1] == "data") words.insert(words.end(), {"--progress", options.progress});
  const UniqueFd log(::open((folder / "prepare.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  ROADTUNE_TRY(
      Subprocess child,
      Subprocess::start(
          {.command = words, .folder = folder, .output = log.valid() ? Stream::given(log.get()) : Stream::null()}));
  const ExitStatus exit = child.wait();
  if (Interrupt::requested()) return cancelled();
  if (!exit.ok()) return failed(exit.text(), shown, "the lines above say why");
  return {};
}

// Lets `words` make `name`, unless it is there. It is made under another name and renamed, so that what an interrupted
// demo left behind is never taken for whole.
Status make(const DemoOptions& options, const fs::path& folder, const std::string& name,
            std::vector<std::string> words) {
  if (fs::exists(folder / name)) return {};
  const fs::path part = folder / (name + ".part");
  std::error_code error;
  fs::remove_all(part, error);
  words.insert(words.end(), {"--out", part.filename().string()});
  ROADTUNE_CHECK(runStep(options, folder, std::move(words)));
  fs::rename(part, folder / name, error);
  if (error) return failed("cannot be renamed: " + error.message(), part.string(), "remove it and start again");
  return {};
}

// Makes what is not there yet; a second demo in the same folder starts at once. The seed draws dusk, day, night and
// every class.
Status prepare(const DemoOptions& options, const fs::path& folder) {
  ROADTUNE_CHECK(makeFolders(folder));
  ROADTUNE_CHECK(make(
      options, folder, "scenes",
      {"data", "synth", "--format", "waymo-v1", "--scale", "0.1", "--segments", "4", "--frames", "6", "--seed", "25"}));
  ROADTUNE_CHECK(make(options, folder, "model", {"model", "new-tiny"}));
  // Not made aside: an interrupted import goes on where it was.
  ROADTUNE_CHECK(runStep(options, folder, {"data", "index", "scenes", "--out", "index"}));
  if (fs::exists(folder / "demo.yaml")) return {};
  const config::Preset* preset = config::findPreset("demo");
  if (!preset) return failed("this build has no demo preset");
  return writeFileAtomically(folder / "demo.yaml", preset->yaml);
}

// runs/demo, runs/demo2, ...: a demo overwrites nothing.
std::string freeRunName(const fs::path& folder) {
  std::string name = "runs/demo";
  for (int i = 2; fs::exists(folder / name); ++i) name = fmt::format("runs/demo{}", i);
  return name;
}

Result<int> demo(const DemoOptions& options) {
  ROADTUNE_TRY(const ScreenStyle style, parseScreenStyle(options.progress));
  std::error_code ignored;
  const fs::path folder = fs::weakly_canonical(fs::absolute(options.out, ignored), ignored);
  Interrupt::install();
  ROADTUNE_CHECK(prepare(options, folder));
  if (options.prepareOnly) return fmt::print("{}\n", folder.string()), kExitDone;
  ROADTUNE_TRY(config::Document document, config::Document::load(folder / "demo.yaml"));
  remote::LaunchRequest request{.document = std::move(document),
                                .commandLine = {"roadtune", "demo", "--out", options.out}};
  request.overrides.push_back("output_dir=" + (folder / freeRunName(folder)).string());
  if (options.steps > 0) request.overrides.push_back(fmt::format("max_steps={}", options.steps));
  if (options.processes != 0) request.processesPerNode = options.processes;
  ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planLaunch(request));
  ROADTUNE_TRY(const remote::StartedRun run, remote::launch(plan));
  fmt::print(stderr, "roadtune train demo.yaml\n");
  return followToTheEnd(run.folder, style, OnInterrupt::StopRun);
}

const Registration kDemo{
    "demo", "Train a tiny model on drawn scenes, all made on the spot", [](CLI::App& app) -> Action {
      auto options = std::make_shared<DemoOptions>();
      app.add_option("--out", options->out, "folder for data, model and runs")->capture_default_str();
      app.add_option("--steps", options->steps, "optimizer steps (default: what the preset says)")
          ->check(wholeNumberFrom(1));
      app.add_option("--nproc-per-node", options->processes, "ranks")->check(wholeNumberFrom(1));
      app.add_flag("--prepare-only", options->prepareOnly, "make data, model and demo.yaml; do not train");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return demo(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
