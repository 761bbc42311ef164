// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune runs ls ROOT
#include "app/cli/as_of.h"
#include "app/cli/command.h"
#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unistd.h>

namespace roadtune::cli {

namespace {

using runs::RunEntry;
using runs::RunState;

struct ListOptions {
  std::vector<std::string> roots;
  bool json = false;
  bool noForeign = false;
  std::string sort = "newest";
};

constexpr std::size_t kColumns = 8, kEvalLoss = 4;
using Row = std::array<std::string, kColumns>;

Row rowOf(const RunEntry& run) {
  const std::string step =
      run.totalSteps > 0 ? fmt::format("{}/{}", run.step, run.totalSteps) : std::to_string(run.step);
  const std::string trainable = run.trainableParams > 0 ? formatCount(run.trainableParams) : "";
  const std::string state(run.paused ? "paused" : name(run.state));
  return {run.asOf ? fmt::format("{} ({})", state, clockWords(*run.asOf)) : state,
          run.started > 0 ? isoTime(run.started) : "",
          step,
          run.loss ? formatNumber(*run.loss) : "",
          run.evalLoss ? formatNumber(*run.evalLoss) : "",
          run.samplesPerSecond && !run.paused ? formatRate(*run.samplesPerSecond, "samples") : "",
          run.method.empty()  ? trainable
          : trainable.empty() ? run.method
                              : run.method + " " + trainable,
          run.name.empty() || run.name == run.path.filename() ? run.path.string()
                                                              : run.path.string() + "  (" + run.name + ")"};
}

const char* colourOf(RunState state) {
  switch (state) {
    case RunState::Running: return "\x1b[32m";
    case RunState::Failed:
    case RunState::Lost: return "\x1b[31m";
    case RunState::Stopped: return "\x1b[33m";
    default: return "";
  }
}

void print(const std::vector<RunEntry>& found) {
  std::vector<Row> rows = {{"STATE", "STARTED", "STEP", "LOSS", "EVAL LOSS", "SPEED", "METHOD", "RUN"}};
  for (const RunEntry& run : found) rows.push_back(rowOf(run));
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  const bool evaluated =
      std::any_of(found.begin(), found.end(), [](const RunEntry& run) { return run.evalLoss.has_value(); });
  const bool colours = wantsColour(STDOUT_FILENO);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const char* colour = colours && r > 0 ? colourOf(found[r - 1].state) : "";
    fmt::print("{}{:<{}}{}", colour, rows[r][0], widths[0], *colour ? "\x1b[0m" : "");
    for (std::size_t i = 1; i + 1 < kColumns; ++i)
      if (evaluated || i != kEvalLoss) fmt::print("  {:<{}}", rows[r][i], widths[i]);
    fmt::print("  {}\n", rows[r].back());
  }
  if (std::any_of(found.begin(), found.end(), [](const RunEntry& run) { return run.asOf.has_value(); }))
    fmt::print(stderr, "(HH:MM): as of then, on other machines; `roadtune attach RUN` brings it up to date\n");
}

// They come with the newest first, and so stay where they are equal.
void sort(std::vector<RunEntry>& found, const std::string& order) {
  if (order == "newest") return;
  const auto member = order == "loss" ? &RunEntry::loss : &RunEntry::evalLoss;
  std::stable_sort(found.begin(), found.end(), [member](const RunEntry& a, const RunEntry& b) {
    return runs::comparableLoss(a.*member) < runs::comparableLoss(b.*member);
  });
}

Result<int> list(const ListOptions& options) {
  std::vector<fs::path> roots;
  for (const std::string& root : options.roots) {
    std::error_code code;
    if (!fs::is_directory(root, code)) return badInput("there is no such folder", root);
    roots.emplace_back(root);
  }
  runs::CatalogueOptions how;
  how.foreignRuns = !options.noForeign;
  auto found = runs::findRuns(roots, how);
  sort(found, options.sort);
  if (options.json) {
    fmt::print("{}", runs::toJson(found));
  } else if (found.empty()) {
    fmt::print(stderr, "no runs below {}\n", options.roots.front());
  } else {
    print(found);
  }
  return kExitDone;
}

const Registration kRunsLs{"runs ls", "Runs below a folder, the newest first", [](CLI::App& app) -> Action {
                             auto options = std::make_shared<ListOptions>();
                             app.add_option("root", options->roots, "Folders to search")->required();
                             app.add_flag("--json", options->json, "A list for machines");
                             app.add_option("--sort", options->sort, "newest, or the lowest loss or eval_loss first")
                                 ->check(CLI::IsMember({"newest", "loss", "eval_loss"}));
                             app.add_flag("--no-foreign", options->noForeign,
                                          "Leave out TensorBoard folders of other programs");
                             return [options] { return list(*options); };
                           }};

}  // namespace

}  // namespace roadtune::cli
