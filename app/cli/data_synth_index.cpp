// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data synth-index: a large index without pictures, to measure how fast questions are answered.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/counted.h"
#include "core/base/units.h"
#include "core/data/index/synth_index.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune::cli {

namespace {

struct SynthIndexCommand {
  data::SynthIndexOptions options;
  std::string progress;
  bool json = false;
};

Result<int> runSynthIndex(const SynthIndexCommand& command) {
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(command.progress));
  Interrupt::install();
  const std::unique_ptr<ProgressSink> progress = makeProgressSink(style, [] { return Interrupt::requested(); });
  ROADTUNE_TRY(const data::SynthIndexOutcome made, data::writeSynthIndex(command.options, *progress));
  if (command.json)
    fmt::print("{{\"segments\":{},\"images\":{},\"boxes\":{}}}\n", made.segments, made.images, made.boxes);
  else
    fmt::print("{}, {}, {}: {}\n", counted(made.segments, "segment"), counted(made.images, "image"),
               counted(made.boxes, "box", "boxes"), command.options.out.string());
  return kExitDone;
}

const Registration kSynthIndex{
    "data synth-index", "Make a large index without pictures, for measuring", [](CLI::App& app) -> Action {
      auto command = std::make_shared<SynthIndexCommand>();
      app.add_option("--out", command->options.out, "Folder of the index")->required();
      app.add_option("--images", command->options.images, "Images in it")
          ->capture_default_str()
          ->check(wholeNumberFrom(1));
      app.add_option("--boxes", command->options.boxes, "Boxes in it")
          ->capture_default_str()
          ->check(wholeNumberFrom(0));
      app.add_option("--seed", command->options.seed, "Equal seeds give equal labels")
          ->capture_default_str()
          ->check(wholeNumberFrom(0));
      app.add_option("--jobs", command->options.jobs, "Threads; 0: one per processor")->check(wholeNumberFrom(0));
      app.add_option("--progress", command->progress, "json, bar or none");
      app.add_flag("--json", command->json, "Print the counts as JSON");
      return [command]() -> Result<int> { return runSynthIndex(*command); };
    }};

}  // namespace
}  // namespace roadtune::cli
