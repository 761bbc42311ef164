// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune runs export RUN --format csv|json|html --out PATH
#include "app/cli/command.h"
#include "app/cli/runs_open.h"
#include "core/base/files.h"
#include "core/runs/html_report.h"
#include "core/runs/run_csv.h"
#include "core/runs/run_json.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune::cli {

namespace {

struct ExportOptions {
  std::string run, format, out;
};

Result<std::string> contentOf(const runs::RunStore& store, const std::string& format) {
  if (format == "csv") return runs::toCsv(store);
  if (format == "json") return runs::toJsonWithSeries(store);
  if (format == "html") return runs::toHtml(store);
  return badInput("'" + format + "' is no format", "--format", "csv, json, html");
}

Result<int> exportRun(const ExportOptions& options) {
  ROADTUNE_TRY(const runs::RunStore store, openRun(options.run));
  ROADTUNE_TRY(const std::string content, contentOf(store, options.format));
  if (options.out == "-") {
    fmt::print("{}", content);
    return kExitDone;
  }
  const fs::path out = options.out;
  if (out.has_parent_path()) ROADTUNE_CHECK(makeFolders(out.parent_path()));
  ROADTUNE_CHECK(writeFileAtomically(out, content));
  return kExitDone;
}

const Registration kRunsExport{
    "runs export", "A run as one file: every point, or a page to share", [](CLI::App& app) -> Action {
      auto options = std::make_shared<ExportOptions>();
      app.add_option("run", options->run, "Folder of the run")->required();
      app.add_option("--format", options->format, "csv, json or html")->required();
      app.add_option("--out", options->out, "File to write; - for the standard output")->required();
      return [options] { return exportRun(*options); };
    }};

}  // namespace

}  // namespace roadtune::cli
