// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune data index: recordings in, an index out.
#include "app/cli/command.h"
#include "app/cli/data_license.h"
#include "app/cli/data_readers.h"
#include "app/cli/number_checks.h"
#include "app/cli/storage_sources.h"
#include "core/base/counted.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/data/index/import.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune::cli {

namespace {

struct IndexOptions {
  std::vector<std::string> sources;
  std::string out, split, progress;
  StorageOptions storage;
  int jobs = 0;
  bool thumbnails = false, accept = false, json = false;
};

void print(const data::ImportOutcome& outcome, const IndexOptions& options) {
  if (options.json) {
    fmt::print("{{\"imported\":{},\"unchanged\":{},\"usable\":{},\"problems\":{}}}\n", outcome.imported,
               outcome.unchanged, outcome.usable, outcome.problems);
    return;
  }
  fmt::print("{} imported, {} unchanged, {}: {}\n", counted(outcome.imported, "segment"),
             formatCount(static_cast<std::int64_t>(outcome.unchanged)), counted(outcome.problems, "problem"),
             options.out);
}

Result<int> runIndex(const IndexOptions& options) {
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  Interrupt::install();
  const std::unique_ptr<ProgressSink> progress = makeProgressSink(style);
  ROADTUNE_TRY(const auto sources, sourcesHere(options.sources, options.storage, *progress));
  data::ImportRequest request;
  request.sources.assign(sources.begin(), sources.end());
  request.out = options.out;
  request.split = options.split;
  request.jobs = options.jobs;
  request.thumbnails = options.thumbnails;
  request.acceptWaymoLicense = [accept = options.accept] { return acceptWaymo(accept); };
  request.onProblem = [](const data::Problem& problem) { fmt::print(stderr, "{}\n", problem.line()); };
  ROADTUNE_TRY(const data::ImportOutcome outcome, data::importInto(request, dataReaders(), *progress));
  print(outcome, options);
  if (outcome.usable == 0) return badInput("no usable segment in the sources", options.sources.front());
  return kExitDone;
}

const Registration kIndex{
    "data index", "Import recordings into an index", [](CLI::App& app) -> Action {
      auto options = std::make_shared<IndexOptions>();
      app.add_option(
             "SRC", options->sources,
             "Waymo v1 .tfrecord files or folders, v2 roots, COCO JSON (and image folders), YOLO (its data.yaml or "
             "folder), KITTI, VOC and BDD100K folders, JSONL, JSON of conversations, VQA parquet; also below s3:// and "
             "gs://, which are fetched first")
          ->required();
      app.add_option("--out", options->out, "Folder of the index")->required();
      app.add_option("--split", options->split, "Split where neither folder nor file name say");
      app.add_option("--jobs", options->jobs, "Parallel readers; 0: one per processor")->check(wholeNumberFrom(0));
      app.add_flag("--thumbnails", options->thumbnails, "Make the small pictures now instead of on demand");
      app.add_flag("--accept-waymo-license", options->accept, "You accept the Waymo Open Dataset licence");
      addStorageOptions(app, options->storage);
      app.add_option("--progress", options->progress, "json, bar or none");
      app.add_flag("--json", options->json, "Print the outcome as JSON");
      return [options]() -> Result<int> { return runIndex(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
