// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/json_text.h"
#include "core/protocol/event.h"
#include "core/protocol/manifest.h"
#include "core/runs/sample_losses.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roadtune::cli {
namespace {

struct SamplesOptions {
  std::string run;
  std::size_t limit = 20;
  bool json = false;
};

nlohmann::ordered_json sampleJson(const runs::SampleSummary& one) {
  using protocol::number;
  return {{"sample", one.sample},
          {"seen", one.seen},
          {"first_loss", number(one.first)},
          {"last_loss", number(one.last)},
          {"mean_loss", number(one.mean)},
          {"worst_loss", number(one.worst)},
          {"worst_step", one.worstStep},
          {"last_step", one.lastStep}};
}

// Losses that a run elsewhere has written may not have come here yet.
std::string adviceFor(const protocol::RunLayout& layout) {
  const auto manifest = protocol::readManifest(layout.manifest());
  if (manifest.ok())
    for (const auto& node : manifest.value().nodes)
      if (!node.address.empty())
        return fmt::format("roadtune attach {} brings those that lie on {}", remote::shellQuote(layout.root().string()),
                           node.address);
  return "record_sample_losses: true writes them";
}

Result<int> runSamples(const SamplesOptions& options) {
  const protocol::RunLayout layout(options.run);
  if (!layout.isRun()) return badInput("holds no run", options.run, "the output_dir of a run");
  ROADTUNE_TRY(const auto losses, runs::readSampleLosses(layout));
  if (losses.empty()) return badInput("the run has no losses of samples", options.run, adviceFor(layout));
  auto samples = runs::summarizeSamples(losses);
  if (options.limit > 0 && samples.size() > options.limit) samples.resize(options.limit);
  if (options.json) {
    auto all = nlohmann::ordered_json::array();
    for (const auto& one : samples) all.push_back(sampleJson(one));
    fmt::print("{}\n", jsonText(all));
    return static_cast<int>(kExitDone);
  }
  fmt::print("{:>9} {:>9} {:>9} {:>9} {:>9} {:>6}  sample\n", "last", "first", "mean", "worst", "at step", "seen");
  for (const auto& one : samples)
    fmt::print("{:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f} {:>9} {:>6}  {}\n", one.last, one.first, one.mean, one.worst,
               one.worstStep, one.seen, one.sample);
  return static_cast<int>(kExitDone);
}

const Registration kSamples{
    "runs samples", "The samples of a run that are hardest, by what they cost last", [](CLI::App& app) -> Action {
      auto options = std::make_shared<SamplesOptions>();
      app.add_option("RUN", options->run, "the run's folder (output_dir)")->required();
      app.add_option("--limit", options->limit, "so many samples; 0 for all")->check(wholeNumberFrom(0));
      app.add_flag("--json", options->json, "For machines");
      return [options] { return runSamples(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
